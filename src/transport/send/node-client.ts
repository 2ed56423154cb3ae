import type http from 'node:http';
import type { Deadline } from '../call/deadline.js';
import type { Form } from '../upload/form.js';
import type { NodeUpload } from '../upload/node-upload.js';
import type { HttpAgent, HttpClient, HttpRequest, HttpResponse } from './http-client.js';
import { unsendableFailure } from './http-client-error.js';
import { type Connection, NodeRequest } from './node-request.js';

/**
 * The number of sockets is limited, so that a burst of calls queues instead of opening a connection each.
 * The pool reuses the last used socket first, so that unused ones time out and close.
 */
const poolOptions = { keepAlive: true, maxSockets: 100, maxFreeSockets: 32, scheduling: 'lifo' } as const;

/** The most bytes of response headers. Node's default, 16 KB, is less than some gateways add. */
const maxHeaderSize = 64 * 1024;

/**
 * Milliseconds to connect to one address of several, except the last. Node's default of 250 leaves no address
 * on a slow link. 2000 covers one lost packet, which is sent again after a second, and a satellite's delay.
 */
const addressTimeoutMs = 2_000;

/** An option of node:net, which node:http hands on. */
interface ConnectOptions {
  readonly autoSelectFamilyAttemptTimeout: number;
}

/** An option of newer Nodes: the source of the environment's proxies. */
interface ProxyOptions {
  readonly proxyEnv?: NodeJS.ProcessEnv | undefined;
}

/**
 * Takes the environment's proxies from the global agent. The pool then uses them exactly when Node's own requests
 * do: with NODE_USE_ENV_PROXY, `--use-env-proxy` or `http.setGlobalProxyFromEnv()`.
 */
function proxyOptions(globalAgent: http.Agent): ProxyOptions {
  // Packages and tests replace the global agent: it may be of any shape.
  const value = globalAgent as { readonly options?: ProxyOptions } | undefined;
  return { proxyEnv: value?.options?.proxyEnv };
}

/** node:http or node:https with a keep-alive agent. It uses a fraction of the CPU time of fetch. */
export async function createNodeClient(baseUrl: URL, givenAgent: HttpAgent | undefined): Promise<HttpClient> {
  // This import is here so that the file can be bundled for a runtime without node:http.
  const { default: client } =
    baseUrl.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const ownSockets = new WeakSet<object>();
  const { isIP } = await import('node:net');
  const hostname = baseUrl.hostname.replace(/^\[|\]$/g, '');
  const pool: http.Agent = new client.Agent({
    ...poolOptions,
    ...proxyOptions(client.globalAgent),
    servername: isIP(hostname) === 0 ? hostname : '',
  });
  // All its connections lead to one host. Node would put names together three times in each call, of TLS options too.
  pool.getName = () => hostname;
  const connect = pool.createConnection;
  pool.createConnection = (...args) => {
    const socket = connect.apply(pool, args);
    if (socket) ownSockets.add(socket);
    return socket;
  };
  const connection: Connection = {
    client,
    isOwnSocket: (socket) => ownSockets.has(socket),
    connected: baseUrl.protocol === 'https:' ? 'secureConnect' : 'connect',
    dropIdle: () => destroyIdle(pool),
  };
  const agent = (givenAgent as http.Agent | undefined) ?? pool;
  const { protocol, port } = baseUrl;
  const prefix = baseUrl.pathname.replace(/\/$/, '');

  // No object spread: node:http reads an object built by a spread several times slower.
  const requestOptions = (
    { method, target }: HttpRequest,
    headers: Readonly<Record<string, string>>,
  ): http.RequestOptions & ConnectOptions => ({
    protocol,
    hostname,
    port,
    agent,
    method,
    path: prefix + target,
    headers,
    maxHeaderSize,
    autoSelectFamilyAttemptTimeout: addressTimeoutMs,
    // Set explicitly, so that none of them is read from a changed prototype.
    auth: undefined,
    defaultPort: undefined,
    setHost: undefined,
    socketPath: undefined,
  });

  async function sendForm(request: HttpRequest, form: Form, deadline: Deadline): Promise<HttpResponse> {
    const upload = await toUpload(form);
    const headers = Object.assign({}, request.headers, upload.headers);
    try {
      return await new NodeRequest(connection, deadline, upload).send(
        requestOptions(request, headers),
        undefined,
      );
    } finally {
      upload.stop();
    }
  }

  return {
    name: 'node',
    send: (request, deadline) => {
      const { headers, body } = request;
      if (typeof body === 'object') return sendForm(request, body, deadline);
      return new NodeRequest(connection, deadline, undefined).send(requestOptions(request, headers), body);
    },
    close: () => {
      destroyIdle(pool);
      // From now on a connection is closed when its request has ended.
      Object.assign(pool, { keepAlive: false });
    },
  };
}

/** Loads the upload code with the first upload: many merchants never upload. */
async function toUpload(form: Form): Promise<NodeUpload> {
  try {
    const { NodeUpload } = await import('../upload/node-upload.js');
    return new NodeUpload(form);
  } catch (error) {
    throw unsendableFailure(error);
  }
}

function destroyIdle(pool: http.Agent): void {
  for (const sockets of Object.values(pool.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
