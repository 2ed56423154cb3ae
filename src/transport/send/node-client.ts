import type http from 'node:http';
import type { Deadline } from '../call/deadline.js';
import type { Form } from '../upload/form.js';
import type { NodeUpload } from '../upload/node-upload.js';
import type { HttpAgent, HttpClient, HttpRequest, HttpResponse } from './http-client.js';
import { unsendableFailure } from './http-client.js';
import { type ConnectionAccess, NodeRequest } from './node-request.js';

/**
 * The number of sockets is limited, so that a burst of calls queues instead of opening a connection per call.
 * The pool reuses the most recently used socket first, so that surplus sockets time out and close.
 */
const poolOptions = { keepAlive: true, maxSockets: 100, maxFreeSockets: 32, scheduling: 'lifo' } as const;

/** The maximum size of response headers, in bytes. Some gateways add more than Node's default of 16 KB. */
const maxHeaderSize = 64 * 1024;

/**
 * Milliseconds to connect to an address of the host before Node tries the next address. On a slow link,
 * Node's default of 250 reaches no address. 2000 covers a satellite link and one lost packet, which is resent
 * after a second.
 */
const addressTimeoutMs = 2_000;

/**
 * Taken when this file loads, because tests replace the global function. Fake timers that were installed
 * before have the property `clock`, and run nothing until the test asks them to. Jest's jsdom lacks the function.
 */
const { setImmediate } = globalThis as Partial<typeof globalThis>;
const isRealTimer = setImmediate !== undefined && !('clock' in setImmediate);

/** An option of node:net that node:http passes on. */
interface ConnectOptions {
  readonly autoSelectFamilyAttemptTimeout: number;
}

/** An option of newer Node versions: the environment variables that proxies are read from. */
interface ProxyOptions {
  readonly proxyEnv?: NodeJS.ProcessEnv | undefined;
}

/**
 * Reads the proxy settings from the global agent. The pool then uses a proxy exactly when Node's own requests
 * use it: with NODE_USE_ENV_PROXY, `--use-env-proxy` or `http.setGlobalProxyFromEnv()`.
 */
function proxyOptions(globalAgent: http.Agent): ProxyOptions {
  // Packages and tests replace the global agent, so it can have any shape.
  const value = globalAgent as { readonly options?: ProxyOptions } | undefined;
  return { proxyEnv: value?.options?.proxyEnv };
}

/** A keep-alive agent of node:http takes a fraction of fetch's CPU time. */
export async function createNodeClient(
  baseUrl: URL,
  callerAgent: HttpAgent | undefined,
): Promise<HttpClient> {
  // The import is dynamic so that the file can be bundled for a runtime without node:http.
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
  // All connections lead to one host, so its name is enough. Node would build the name from many options,
  // including TLS options, three times per call.
  pool.getName = () => hostname;
  const connect = pool.createConnection;
  pool.createConnection = (...args) => {
    const socket = connect.apply(pool, args);
    if (socket) ownSockets.add(socket);
    return socket;
  };
  const dropIdle = () => destroyIdle(pool);
  const connection: ConnectionAccess = {
    client,
    isOwnSocket: (socket) => ownSockets.has(socket),
    connected: baseUrl.protocol === 'https:' ? 'secureConnect' : 'connect',
    dropIdle,
  };
  const agent = (callerAgent as http.Agent | undefined) ?? pool;
  const { protocol, port } = baseUrl;
  const prefix = baseUrl.pathname.replace(/\/$/, '');

  // These options are not built with a spread, because node:http would read them several times slower.
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
    send: async (request, deadline) => {
      // Bytes that already arrived on an idle connection would be read as the response to this request, unless
      // they are read first: Node then closes the connection. After the first setImmediate, the running poll
      // for events has ended; after the second, a complete one has.
      if (Object.keys(agent.freeSockets ?? {}).length > 0 && isRealTimer)
        await new Promise<void>((resolve) => setImmediate(setImmediate, resolve));
      const { headers, body } = request;
      if (typeof body === 'object') return sendForm(request, body, deadline);
      return new NodeRequest(connection, deadline, undefined).send(requestOptions(request, headers), body);
    },
    dropIdle,
    close: () => {
      dropIdle();
      // From now on, a connection is closed when its request has ended.
      Object.assign(pool, { keepAlive: false });
    },
  };
}

/** Loads the upload code with the first upload, because many merchants never upload. */
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
