/**
 * The code that decides about money, secrets and signatures. `npm run verify -- --only mutation` runs the
 * mutation tests; `npm test` does not.
 */
export default {
  mutate: [
    // Classifies failures, and decides whether to retry.
    'src/transport/response/classify-failure.ts',
    'src/transport/{call-sender,retry/retry-policy}.ts',
    'src/platform/node-failures.ts',
    'src/transport/prepare/idempotency-key.ts',
    // Checks requests, and decides whether a response counts as one.
    'src/contract/read-value.ts',
    'src/transport/response/read-response.ts',
    'src/contract/payments/rules.ts',
    'src/contract/wire-names.ts',
    // Decides which values messages can show.
    'src/redact/*.ts',
    // Finds out which secret signed a delivery.
    'src/platform/{node,web}-crypto.ts',
    'src/webhooks/{options,signature,verify}.ts',
    // Decides whether a delivery is handled, and whether a recorded request is sent.
    'src/webhooks/handle-once.ts',
    'src/durable/{transitions,settler,payment-settler,request-settler}.ts',
    // Handles numbers that a double cannot represent.
    'src/validation/json.ts',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
  // Each mutant runs only the tests that reach it.
  coverageAnalysis: 'perTest',
  // A static mutant would need every test again. Static code here consists of tables and patterns, which have
  // their own tests.
  ignoreStatic: true,
  // Strings are for people, and no test fixes their wording.
  mutator: { excludedMutations: ['StringLiteral'] },
  thresholds: { high: 100, low: 95, break: 95 },
  concurrency: 2,
  reporters: ['progress', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation.json' },
};
