/** The allowed imports between rooms. CONTRIBUTING.md describes the rooms. */
const room = (name) => `^src/${name}/`;
const house = '^(src|sandbox)/';
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: house, pathNot: allowed },
});

/**
 * The rooms of a call, in the order of its flow: each can import earlier ones. `settings.ts` has only types,
 * from all rooms.
 */
const flow = [
  'call/',
  'upload/',
  'prepare/',
  'send/',
  'response/',
  'report/',
  'retry/',
  'call-sender\\.ts',
  'token/',
  'transport\\.ts',
].map((part) => `^src/transport/${part}`);

const ground = [room('contract'), room('errors'), room('validation')];
const platform = '^src/platform/(node|web|web-crypto|signed-delivery)\\.ts';
const clientPlatform = '^src/client-(on-node|in-workers)\\.ts';

/** The storeys of the sandbox and their rooms, from the ground up. A room imports only earlier rooms. */
const sandboxStoreys = {
  ground: ['runtime', 'state', 'time', 'random', 'arguments', 'scenarios', 'defaults', 'faults', 'timeline'],
  domain: ['sellers', 'payments', 'wallet', 'webhooks', 'merchants'],
  outward: ['http', 'control', 'page', 'control-api'],
};
const sandboxRooms = Object.values(sandboxStoreys).flat();
const sandboxRoom = (name) => `^sandbox/${name}/`;
const belowHttp = [...sandboxStoreys.ground, ...sandboxStoreys.domain].map(sandboxRoom);

module.exports = {
  forbidden: [
    {
      name: 'src-never-imports-the-sandbox',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^sandbox/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '/web-[\\w-]+\\.ts$'] },
      to: {},
    },
    only('validation-is-the-ground-floor', room('validation'), [room('validation')]),
    only('contract', room('contract'), [room('contract'), room('validation')]),
    only('errors', room('errors'), [room('errors'), room('validation')]),
    only('redact', room('redact'), [room('redact'), ...ground]),
    only('auth', room('auth'), [room('auth'), ...ground]),
    only('telemetry', room('telemetry'), [room('telemetry'), ...ground, '^src/version']),
    only('transport', room('transport'), [
      room('transport'),
      room('redact'),
      room('telemetry'),
      room('auth'),
      room('platform'),
      ...ground,
      '^src/version',
    ]),
    only('platform', room('platform'), [room('platform'), room('redact'), ...ground]),
    {
      name: 'client-platform-for-the-client-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/client\\.ts' },
      to: { path: clientPlatform },
    },
    ...flow.slice(0, -1).map((from, index) => ({
      name: `the-flow-of-a-call-${index + 1}`,
      severity: 'error',
      from: { path: from },
      to: { path: flow.slice(index + 1) },
    })),
    // A store knows the data that it keeps, but no client or receiver.
    only('stores', room('stores'), [
      room('stores'),
      room('redact'),
      '^src/auth/token-store',
      '^src/transport/retry/rate-limit-store',
      ...ground,
    ]),
    only('webhooks-need-no-client', room('webhooks'), [
      room('webhooks'),
      room('redact'),
      room('stores'),
      // The entry exports openTelemetry. The receiver knows only the type.
      '^src/telemetry/(api|open-telemetry|telemetry)',
      '^src/version',
      platform,
      ...ground,
    ]),
    only('durable-over-client-and-stores', room('durable'), [
      room('durable'),
      '^src/client',
      '^src/auth/sealed-text',
      '^src/redact/',
      '^src/telemetry/telemetry',
      room('stores'),
      ...ground,
    ]),
    only('resources', room('resources'), [
      room('resources'),
      room('redact'),
      room('transport'),
      room('webhooks'),
      ...ground,
    ]),
    only('cli-over-the-public-entries', '^sandbox/cli/', [
      '^sandbox/cli/',
      '^sandbox/index',
      '^sandbox/testing/index',
      '^src/(webhooks/|durable/)?index',
      // These modules contain only data: the responses of the control API, and the transitions of a payment.
      '^sandbox/control-api/(response-types|fields)',
      '^sandbox/defaults/transitions',
      '^src/validation/pasted',
      '^src/version',
    ]),
    only('sandbox-shares-no-code-with-the-client', '^sandbox/(?!cli/|doctor/|testing/|test/)', [
      '^sandbox/(?!cli/|doctor/|testing/|test/)',
      room('contract'),
      room('validation'),
      '^src/webhooks/signature',
      '^src/version',
    ]),
    ...sandboxRooms.map((name, index) =>
      only(`sandbox-${name}-imports-rooms-below`, sandboxRoom(name), [
        ...sandboxRooms.slice(0, index + 1).map(sandboxRoom),
        room('contract'),
        room('validation'),
        '^src/webhooks/signature',
        '^src/version',
      ]),
    ),
    {
      name: 'sandbox-has-no-other-rooms',
      severity: 'error',
      from: { path: '^sandbox/(?!cli/|doctor/|testing/|test/)' },
      to: { path: '^sandbox/[^/]+/', pathNot: sandboxRooms.map(sandboxRoom) },
    },
    {
      name: 'sandbox-domain-knows-no-http',
      severity: 'error',
      from: { path: belowHttp },
      to: { path: ['^(node:)?https?$', 'node_modules/(hono|@hono|@fastify)/'] },
    },
    // The doctor imports only the client's types, because it examines the client that is passed to it.
    only('doctor', '^sandbox/doctor/', [
      '^sandbox/doctor/',
      '^sandbox/defaults/statuses',
      '^src/(client|options)\\.ts',
      room('webhooks'),
      ...ground,
    ]),
    only('testing', '^sandbox/testing/', [
      '^sandbox/(?!cli/|test/)',
      '^src/client\\.ts',
      room('webhooks'),
      room('durable'),
      ...ground,
    ]),
    {
      name: 'contract-imports-nothing-but-zod',
      severity: 'error',
      from: { path: [room('contract'), room('validation')] },
      to: { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/zod' },
    },
    {
      name: 'few-packages',
      comment:
        'Packages are bundled. What only the sandbox and the command need stays in their entry points.',
      severity: 'error',
      from: { path: house, pathNot: '^sandbox/(?!testing/)' },
      to: { dependencyTypes: ['npm', 'npm-dev'], pathNot: 'node_modules/(zod|ky|form-data)/' },
    },
    {
      name: 'known-packages-only',
      severity: 'error',
      from: { path: house },
      // This rule does not know inlinedDependencies, so a package that is only there counts as unlisted.
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-dev', 'npm-peer'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
