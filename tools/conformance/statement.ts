import type { DoctorReceiver } from '../../sandbox/doctor/receiver.js';
import type { Api, ApiResponse, Sending } from './api.js';

/**
 * The effects of a check. Without `write` the check leaves nothing behind, and without `charge` it moves no
 * money.
 */
export type Need = 'read' | 'write' | 'charge' | 'receive';

/** A short observation, and whether it matches the expectation. */
export interface Seen {
  readonly holds: boolean;
  readonly seen: string;
}

/** A statement of the API docs, with its check from outside. */
export interface Statement {
  /** The section of the API docs. */
  readonly section: string;
  readonly statement: string;
  readonly expected: string;
  readonly need: Need;
  /**
   * True if the API docs leave the statement open, and the SDK only assumes it. A difference is reported, but
   * is not a failure.
   */
  readonly isAssumed?: boolean;
  check(api: Api, receiver: DoctorReceiver | undefined): Promise<Seen>;
}

export const seen = (holds: boolean, what: string | number): Seen => ({
  holds,
  seen: String(what),
});

/** Checks that a response has one of the allowed statuses. */
export const statusIs = ({ status }: ApiResponse, ...allowed: readonly number[]): Seen =>
  seen(allowed.includes(status), String(status));

/** Checks for a rejection: any 4xx status except 401. */
export const isRejected = ({ status }: ApiResponse): Seen =>
  seen(status >= 400 && status < 500 && status !== 401, String(status));

/** A request with its mistake. The platform must reject it. */
export type WrongRequest = readonly [label: string, request: string, sending?: Sending];

/** Sends requests that must be rejected, and returns those that were not. */
export async function checkAllRejected(api: Api, requests: readonly WrongRequest[]): Promise<Seen> {
  const accepted: string[] = [];
  let last = 0;
  for (const [label, request, sending] of requests) {
    const { status } = await api.send(request, sending);
    const isElsewhere = [401, 429].includes(status) || (status === 404 && request.startsWith('PATCH'));
    if (status < 400 || status >= 500 || isElsewhere) accepted.push(`${label}: ${status}`);
    last = status;
  }
  const refused = requests.length === 1 ? last : `${requests.length} refused`;
  return seen(accepted.length === 0, accepted.join(', ') || refused);
}

/** Creates the statements of a section of the API docs. */
export function about(section: string) {
  const withNeed =
    (need: Need) =>
    (statement: string, expected: string, check: Statement['check']): Statement => ({
      section,
      statement,
      expected,
      need,
      check,
    });
  return {
    reads: withNeed('read'),
    writes: withNeed('write'),
    charges: withNeed('charge'),
    receives: withNeed('receive'),
    /** A statement about requests that the platform must reject. */
    refuses: (need: Need, statement: string, requests: (api: Api) => readonly WrongRequest[]): Statement =>
      withNeed(need)(statement, 'refused (4xx)', (api) => checkAllRejected(api, requests(api))),
  };
}

/** Marks a statement that the API docs leave open, and the SDK only assumes. */
export const assumed = (statement: Statement): Statement => ({ ...statement, isAssumed: true });

export const isSuccess = ({ status }: ApiResponse): boolean => status >= 200 && status < 300;

/** Checks that an object's fields each pass a test. */
export function checkFields(
  { status, body }: ApiResponse,
  tests: Readonly<Record<string, (value: unknown) => boolean>>,
): Seen {
  if (status < 200 || status >= 300) return seen(false, String(status));
  const wrong = Object.keys(tests).filter((name) => tests[name]?.(body?.[name]) !== true);
  const found = wrong.map((name) => `${name}: ${JSON.stringify(body?.[name])}`);
  return seen(wrong.length === 0, (found.length > 0 ? found : Object.keys(tests)).join(', '));
}

export const isUuid = (value: unknown): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(String(value));
export const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
export const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /Z$|[+-]00:00$/.test(value) && !Number.isNaN(Date.parse(value));
export const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);
