/** The allowed imports between rooms. CONTRIBUTING.md describes the rooms. */
const room = (name) => `^src/${name}/`;
const rooms = (names) => names.split(' ').map(room);
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

const ground = rooms('contract errors validation');
const version = '^src/version';

/** A room of the SDK imports only the named rooms and other modules. */
const imports = (name, names, others = []) => only(name, room(name), [...rooms(names), ...others]);
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });
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

/** What the sandbox's platform shares with the client. */
const ofPlatform = [...rooms('contract validation'), '^src/webhooks/signature', version];

module.exports = {
  forbidden: [
    forbid('src-never-imports-the-sandbox', { path: '^src/' }, { path: '^sandbox/' }),
    forbid('no-circles', {}, { circular: true }),
    forbid('no-orphans', { orphan: true, pathNot: ['\\.d\\.ts$', '/web-[\\w-]+\\.ts$'] }, {}),
    imports('validation', 'validation'),
    imports('contract', 'contract validation'),
    imports('errors', 'errors validation'),
    imports('redact', 'redact', ground),
    imports('auth', 'auth', ground),
    imports('telemetry', 'telemetry', [...ground, version]),
    imports('transport', 'transport redact telemetry auth platform', [...ground, version]),
    imports('platform', 'platform redact', ground),
    forbid(
      'client-platform-for-the-client-only',
      { path: '^src/', pathNot: '^src/client\\.ts' },
      { path: clientPlatform },
    ),
    ...flow
      .slice(0, -1)
      .map((from, index) =>
        forbid(`the-flow-of-a-call-${index + 1}`, { path: from }, { path: flow.slice(index + 1) }),
      ),
    // A store knows the data that it keeps, but no client or receiver.
    imports('stores', 'stores redact', [
      '^src/auth/token-store',
      '^src/transport/retry/rate-limit-store',
      ...ground,
    ]),
    // The entry exports openTelemetry. The receiver knows only the type.
    imports('webhooks', 'webhooks redact stores', [
      '^src/telemetry/(api|open-telemetry|telemetry)',
      version,
      platform,
      ...ground,
    ]),
    imports('durable', 'durable redact stores', [
      '^src/client',
      '^src/auth/sealed-text',
      '^src/telemetry/telemetry',
      ...ground,
    ]),
    imports('resources', 'resources redact transport webhooks', ground),
    only('cli-over-the-public-entries', '^sandbox/cli/', [
      '^sandbox/cli/',
      '^sandbox/index',
      '^sandbox/testing/index',
      '^src/(webhooks/|durable/)?index',
      // These modules contain only data: the control API's prefix and header, and the transitions of a payment.
      '^sandbox/http/control-paths',
      '^sandbox/defaults/transitions',
      '^src/validation/pasted',
      version,
    ]),
    only('sandbox-shares-no-code-with-the-client', '^sandbox/(?!cli/|doctor/|testing/|test/)', [
      '^sandbox/(?!cli/|doctor/|testing/|test/)',
      ...ofPlatform,
    ]),
    ...sandboxRooms.map((name, index) =>
      only(`sandbox-${name}-imports-rooms-below`, sandboxRoom(name), [
        ...sandboxRooms.slice(0, index + 1).map(sandboxRoom),
        ...ofPlatform,
      ]),
    ),
    forbid(
      'sandbox-has-no-other-rooms',
      { path: '^sandbox/(?!cli/|doctor/|testing/|test/)' },
      { path: '^sandbox/[^/]+/', pathNot: sandboxRooms.map(sandboxRoom) },
    ),
    forbid(
      'sandbox-domain-knows-no-http',
      { path: belowHttp },
      { path: ['^(node:)?https?$', 'node_modules/(hono|@hono|@fastify)/'] },
    ),
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
    forbid(
      'contract-imports-nothing-but-zod',
      { path: rooms('contract validation') },
      { dependencyTypes: ['npm', 'core'], pathNot: 'node_modules/zod' },
    ),
    // Packages are bundled. What only the sandbox and the command need stays in their entry points.
    forbid(
      'few-packages',
      { path: house, pathNot: '^sandbox/(?!testing/)' },
      { dependencyTypes: ['npm', 'npm-dev'], pathNot: 'node_modules/(zod|ky|form-data)/' },
    ),
    // This rule does not know inlinedDependencies, so a package that is only there counts as unlisted.
    forbid(
      'known-packages-only',
      { path: house },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-dev', 'npm-peer'] },
    ),
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
