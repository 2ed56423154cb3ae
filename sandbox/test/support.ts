import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions, testCards } from '../index.js';

export const startOfYear = '2026-01-01T00:00:00.000Z';

/** Creates a sandbox with a frozen clock, which is closed after the test. */
export function sandboxForTest(options: SandboxOptions = {}): Sandbox {
  const isNew = options.state === undefined && options.stateFile === undefined;
  const sandbox = createSandbox({ ...(isNew && { seed: 1 }), now: startOfYear, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Creates a promise and the function that resolves it. */
export function signal<Value = void>(): { promise: Promise<Value>; fire: (value: Value) => void } {
  let fire: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}

export interface Reply {
  status: number;
  headers: Headers;
  /** The body, parsed if it is JSON. */
  body: { [field: string]: unknown } & { error?: { code: string; message: string; issues: Issue[] } };
}

interface Issue {
  path: string;
  message: string;
}

export interface Call {
  method?: string;
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** An object with credentials: a sandbox, a server or another merchant. */
export type Target =
  | Pick<Sandbox, 'clientOptions'>
  | { clientOptions(): { baseUrl: string; clientId: string; clientSecret: string } };

/** Sends a request with the target's credentials, in process or to a server. */
export async function call(
  target: Target,
  path: string,
  { body, key, headers, signal, method = body === undefined ? 'GET' : 'POST' }: Call = {},
): Promise<Reply> {
  const { baseUrl, clientId, clientSecret, ...rest } = target.clientOptions();
  const send = 'fetch' in rest ? rest.fetch : fetch;
  const isForm = body instanceof FormData;
  // Node 24 reports an unhandled rejection if a server responds before it has read the whole FormData.
  const form = isForm && send === fetch ? await new Response(body).blob() : body;
  const response = await send(baseUrl + path, {
    method,
    headers: {
      'client-id': clientId,
      'client-secret': clientSecret,
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-idempotency-key': key }),
      ...headers,
    },
    ...(isForm && { body: form as FormData | Blob }),
    ...(body !== undefined && !isForm && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });
  const text = await response.text();
  const isJson = text !== '' && (response.headers.get('content-type')?.includes('json') ?? false);
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
}

export const pay = (target: Target, body: unknown, key?: string, more: Call = {}) =>
  call(target, '/v1/payments', { body, ...(key !== undefined && { key }), ...more });

const order = { amount: 1_990, items: [{ title: 'Book', quantity: 1, unitPrice: 1_990 }] };

const customer = {
  name: 'Maria Silva',
  email: 'maria@example.com',
  document: { number: '12345678909', type: 'cpf' },
};

export const pix = (more: object = {}) => ({ ...order, paymentMethod: 'pix', customer, ...more });

export const boleto = (more: object = {}) => ({ ...order, paymentMethod: 'boleto', customer, ...more });

export const openCard = (number: string = testCards.approved, more: object = {}) => ({
  ...order,
  paymentMethod: 'credit_card',
  customer,
  card: { number, cvv: '987', holderName: 'MARIA SILVA', expirationMonth: 12, expirationYear: 2030 },
  ...more,
});

export const withCard = (card: object, more: object = {}) => ({
  ...order,
  paymentMethod: 'credit_card',
  card,
  ...more,
});

/** Creates a UUID v4 that ends in a number. */
export const keyNo = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A UUID that identifies no record. */
export const unknownId = '99999999-9999-4999-8999-999999999999';

/** Creates a form; bytes become files. */
export function form(fields: Record<string, string | Uint8Array<ArrayBuffer> | File>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Uint8Array) data.set(name, new Blob([value], { type: 'image/png' }), `${name}.png`);
    else data.set(name, value);
  }
  return data;
}

export const bankAccount = {
  bankAccountType: 'conta_corrente',
  bankName: 'Banco Exemplo',
  bankCode: '999',
  bankAgency: '0001',
  bankAccount: '12345',
  bankAccountDv: '6',
  ispb: '00000000',
};

export const naturalPerson = {
  document: '12345678909',
  fullName: 'João da Silva',
  birthDate: '1990-02-28',
  phone: '+5511912345678',
  addressZipCode: '01310100',
  addressStreet: 'Avenida Paulista',
  addressNumber: '1000',
  addressNeighborhood: 'Bela Vista',
  addressCity: 'São Paulo',
  addressState: 'SP',
  bankAccount: JSON.stringify(bankAccount),
  cnhCompleta: new Uint8Array([1, 2, 3]),
  selfie: new Uint8Array([4, 5, 6]),
};

export const onboard = (target: Target, fields: Parameters<typeof form>[0] = naturalPerson, key = keyNo(1)) =>
  call(target, '/v2/submerchants/onboarding/pf', { body: form(fields), key });

export const fetchOnboardingStatus = (target: Target, id: unknown) =>
  call(target, `/v2/submerchants/onboarding/${id}/status`);

/** Creates an active sub-account and returns its id. */
export async function subAccount(target: Target, documentNumber: string, key = keyNo(100)): Promise<string> {
  const reply = await call(target, '/v1/submerchants', { body: form({ documentNumber }), key });
  return String(reply.body.internalId);
}

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver's response to its nth request (from 1): a status, or no response. */
export type Behaviour = (nth: number, request: Received) => number | 'hang' | Promise<number>;

/** Starts a merchant's webhook receiver on a real socket. */
export async function startReceiver(behaviour: Behaviour = () => 200) {
  const received: Received[] = [];
  const waiting: { count: number; fire: () => void }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const entry = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
    received.push(entry);
    for (const { count, fire } of waiting) if (received.length >= count) fire();
    const status = await behaviour(received.length, entry);
    if (status === 'hang') return;
    if (status >= 300 && status < 400) response.setHeader('location', '/elsewhere');
    response.writeHead(status).end('ok');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  onTestFinished(() => (server.listening ? close() : undefined));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    /** Returns the received events, in order. */
    events: () => received.map(({ body }) => JSON.parse(body).event as string),
    /** Resolves with the nth request. */
    async until(count: number) {
      if (received.length >= count) return;
      const { promise, fire } = signal();
      waiting.push({ count, fire });
      await promise;
    },
    close,
  };
}
