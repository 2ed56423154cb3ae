/** What decides about money, secrets and signatures. Run by `npm run verify -- --only mutation`; not a part of `npm test`. */
export default {
  mutate: [
    // What a failure means, and whether a call is repeated.
    'src/transport/response/classify-failure.ts',
    'src/transport/{call-sender,retry/retry-policy}.ts',
    'src/transport/send/engine-failures.ts',
    'src/transport/prepare/idempotency-key.ts',
    // What is sent, and what an answer must be to count as one.
    'src/contract/read-value.ts',
    'src/transport/response/read-response.ts',
    'src/contract/payments/rules.ts',
    'src/contract/wire-names.ts',
    // What may be shown.
    'src/redact/*.ts',
    // Who signed a delivery.
    'src/platform/{node,web}-crypto.ts',
    'src/webhooks/{options,signature,verify}.ts',
    // Numbers that a double cannot hold.
    'src/validation/json.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  // A mutant meets only the tests that reach it.
  coverageAnalysis: 'perTest',
  // A static mutant needs every test again: those are tables and patterns, held by tests of their own.
  ignoreStatic: true,
  // Texts are for people: no test pins a sentence.
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 100, low: 95, break: 95 },
  concurrency: 2,
  reporters: ['progress', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation.json' },
};
