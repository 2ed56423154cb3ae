import { getOperation, type OperationId, operations } from '../../src/contract/index.js';
import { isRecord } from '../../src/validation/record.js';
import type { Behaviour } from '../defaults/all.js';
import { describeFault } from '../faults/fault-kinds.js';
import type { PendingFault } from '../faults/request-faults.js';
import type { Random } from '../random/random.js';
import type { Changes } from '../state/changes.js';
import { computePayloadDigest, sha256 } from '../state/payload-digest.js';
import type { Timeline } from '../timeline/timeline.js';
import { applyFault, type Outcome, pause } from './apply-fault.js';
import { authenticate } from './authenticate.js';
import type { Journal } from './journal.js';
import type { JournalEntry } from './journal-entry.js';
import { parseBody } from './parse-body.js';
import { computeBodyLimits, type Received, receive } from './receive-body.js';
import type { RequestBody } from './request-body.js';
import { createProblem, findJson, withErrorBody } from './responses.js';
import {
  createRouter,
  notExecutedResponse,
  type RequestState,
  type Router,
  type RouterParts,
} from './router.js';

interface Parts extends RouterParts {
  readonly journal: Journal;
  readonly timeline: Timeline;
  readonly changes: Changes;
  readonly errorBody: Behaviour['errorBody'];
  /** In bytes. */
  readonly maxBody: number;
  readonly requestIds: Random;
  /** Writes the state to its file, then returns the response. */
  readonly saved: (response: Response) => Response;
  /** Aborted when the sandbox is closed. */
  readonly closing: AbortSignal;
}

export class PlatformRequests {
  readonly #parts: Parts;
  readonly #router: Router;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#router = createRouter(parts);
  }

  /**
   * @param leaving a signal that aborts a request before it is completely received. Over HTTP, a received
   * request is always executed.
   */
  async handle(
    request: Request,
    stream: AsyncIterable<Uint8Array>,
    address: string,
    leaving?: AbortSignal,
  ): Promise<Outcome> {
    const { merchants, tokens, clock, faults, journal, changes, errorBody, closing } = this.#parts;
    const { headers } = request;
    const access = authenticate(headers, merchants, tokens);
    const owner = 'merchant' in access ? access.merchant : merchants.find(headers.get('client-id') ?? '');
    const clientId = owner && merchants.mainClientId(owner);
    const early = faults.takeBeforeRead(findOperation(request));
    if (early !== undefined) {
      const entry = journal.open(request, sha256(''), notRead, clock.timestamp(), clientId);
      entry.operation = findOperation(request);
      this.#parts.timeline.note({ kind: 'request', request: entry.number });
      return this.#applyFault(request, entry, early, notExecutedResponse());
    }
    const limits = computeBodyLimits(headers, 'merchant' in access, this.#parts.maxBody);
    const received = await receive(headers, stream, limits);
    leaving?.throwIfAborted();
    if (received === 'too-large') return { kind: 'response', response: tooLarge(limits.most) };
    const reading = received.bytes === undefined ? notKept : parseBody(headers, received.bytes);
    // Only forms are parsed asynchronously. Other requests are executed before the next event.
    const body = reading instanceof Promise ? await reading : reading;
    closing.throwIfAborted();
    const entry = journal.open(request, bodyDigest(received, body), body, clock.timestamp(), clientId);
    this.#parts.timeline.note({ kind: 'request', request: entry.number });
    changes.note('journal');
    const exchange: RequestState = { entry, body, address, fault: undefined };
    const original = await this.#router.fetch(request, exchange);
    entry.paymentId = findPayment(entry, original);
    const response = this.#parts.saved(await withErrorBody(original, errorBody));
    response.headers.set(this.#parts.names.requestIdHeader, this.#parts.requestIds.uuid());
    if (exchange.fault !== undefined) return this.#applyFault(request, entry, exchange.fault, response);
    this.#noteResponse(entry, response);
    journal.keepResponse(entry, response);
    return { kind: 'response', response };
  }

  async #applyFault(
    request: Request,
    entry: JournalEntry,
    fault: Readonly<PendingFault>,
    response: Response,
  ): Promise<Outcome> {
    const shown = describeFault(fault.fault);
    entry.fault = shown;
    this.#parts.timeline.note({ kind: 'fault', request: entry.number, fault: shown, phase: fault.phase });
    this.#parts.changes.note('journal');
    const { outcome, delay } = await applyFault(fault, response);
    if (delay > 0) await pause(delay, request.signal, this.#parts.closing);
    if ('response' in outcome) {
      this.#noteResponse(entry, outcome.response);
      this.#parts.journal.keepResponse(entry, outcome.response);
    }
    return outcome;
  }

  #noteResponse(entry: JournalEntry, { status }: Response): void {
    entry.status = status;
    this.#parts.timeline.note({ kind: 'response', request: entry.number });
    this.#parts.changes.note('journal');
  }
}

/** The next part of the path is a payment's id. */
const onePayment = `${getOperation('payments.create').path}/`;

/** A fault can replace the response later. */
function findPayment({ operation, path }: JournalEntry, original: Response): string | undefined {
  if (operation !== undefined && path.startsWith(onePayment))
    return path.slice(onePayment.length).split('/')[0];
  if (operation !== 'payments.create' || !original.ok) return undefined;
  const value = findJson(original)?.value;
  const id = isRecord(value) ? value.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

const notKept: RequestBody = { encoding: 'multipart', value: undefined };

const notRead: RequestBody = { encoding: 'other', value: undefined };

const tooLarge = (most: number) =>
  createProblem(
    413,
    'body_too_large',
    `The body has more than ${most} bytes. Only forms can have more than 1 MiB.`,
  );

/** A form's boundary is random, so the digest of a readable form covers its contents instead. */
const bodyDigest = ({ digest }: Received, { encoding, value }: RequestBody): string =>
  encoding === 'multipart' && value !== undefined ? computePayloadDigest(value) : digest;

const patterns = operations.map(({ id, method, path }) => ({
  id,
  method,
  path: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** HEAD is handled like GET. */
function findOperation({ method, url }: Pick<Request, 'method' | 'url'>): OperationId | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const { pathname } = new URL(url);
  return patterns.find((pattern) => pattern.method === wanted && pattern.path.test(pathname))?.id;
}
