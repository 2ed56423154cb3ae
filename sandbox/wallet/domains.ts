import type { Domain } from '../../src/contract/domains/types.js';
import { isError, isErrorNamed, isInstance } from '../../src/validation/builtins.js';
import { type OptionReaders, validIf } from '../../src/validation/options.js';
import { readCheckedOptions } from '../arguments/checked-options.js';
import { unknownId } from '../arguments/control-errors.js';
import { longestVerificationFile, verificationPath, verificationTimeout } from '../defaults/wallet.js';
import type { Random } from '../random/random.js';
import { joinBytes, readChunks } from '../runtime/bytes.js';
import { domainOutcomeAfter, findDomainOutcome } from '../scenarios/test-domains.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';

/** Options of `control.domains.verify`. */
export interface DomainVerificationOptions {
  /**
   * The origin to fetch the file from, if the domain does not resolve to the server yet:
   * `http://127.0.0.1:3000`. Default: `https://` and the domain.
   */
  from?: string | URL | undefined;
}

const optionReaders: OptionReaders<DomainVerificationOptions> = {
  from: validIf(
    (value) => parseOrigin(value) !== undefined,
    'must be an origin such as http://127.0.0.1:3000',
  ),
};

interface Registration {
  readonly content: string;
  readonly record: Readonly<Domain>;
}

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export class Domains {
  readonly #registrations: Table<Registration>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #closing: AbortSignal;

  /** @param closing aborts verifications when the sandbox is closed */
  constructor(clock: Clock, random: Random, closing: AbortSignal, tables: TableFactory) {
    this.#registrations = tables.table('domains');
    this.#clock = clock;
    this.#random = random;
    this.#closing = closing;
  }

  register(domainName: string): { domain: Domain; isNew: boolean } {
    const known = Array.from(this.#registrations.values()).find(({ record }) =>
      sameName(record.domainName, domainName),
    );
    const registration = known ?? this.#add(domainName);
    const verificationFile = { path: verificationPath, content: registration.content };
    return { domain: { ...registration.record, verificationFile }, isNew: known === undefined };
  }

  /** Schedules the pending outcomes of a restored state. */
  resume(): void {
    for (const { record } of this.#registrations.values()) {
      if (record.status === 'pending') this.#schedule(record);
    }
  }

  /** Copies, in the order of registration, without the verification file. */
  list(): Domain[] {
    return Array.from(this.#registrations.values(), ({ record }) => ({ ...record }));
  }

  /**
   * @throws Error for an unknown domain, and if the sandbox is closed before the outcome
   * @throws TypeError for an unknown option, and if `from` is not an origin
   */
  async verify(id: string, options: DomainVerificationOptions = {}): Promise<Domain> {
    const { from } = readCheckedOptions('control.domains.verify', options, optionReaders);
    const registration = this.#registrations.get(id);
    if (registration === undefined) throw unknownId('domain', id);
    const origin = parseOrigin(from) ?? `https://${registration.record.domainName}`;
    if (registration.record.status === 'verified') return { ...registration.record };
    const problem = await findProblem(origin + verificationPath, registration.content, this.#closing);
    this.#closing.throwIfAborted();
    // A reset can have removed the domain in the meantime.
    const record = this.#registrations.get(id)?.record;
    if (record === undefined) throw unknownId('domain', id);
    const outcome = this.#withOutcome(record, problem);
    this.#registrations.set(id, { ...registration, record: outcome });
    return { ...outcome };
  }

  #add(domainName: string): Registration {
    const registration: Registration = {
      content: this.#random.hex(256),
      record: {
        id: this.#random.uuid(),
        domainName,
        status: 'pending',
        createdAt: this.#clock.timestamp(),
      },
    };
    this.#schedule(registration.record);
    return this.#registrations.set(registration.record.id, registration);
  }

  #schedule({ id, domainName, createdAt }: Readonly<Domain>): void {
    const outcome = findDomainOutcome(domainName);
    if (outcome === undefined) return;
    this.#clock.schedule(Date.parse(createdAt) + domainOutcomeAfter, () => {
      const registration = this.#registrations.get(id);
      if (registration?.record.status !== 'pending') return;
      const problem =
        outcome === 'fails'
          ? `https://${domainName}${verificationPath} returned 404, not 200: the domain is a test domain that fails.`
          : undefined;
      this.#registrations.set(id, {
        ...registration,
        record: this.#withOutcome(registration.record, problem),
      });
    });
  }

  #withOutcome(record: Domain, problem: string | undefined): Domain {
    // Another verification can have succeeded while this verification waited.
    if (record.status === 'verified') return record;
    const { id, domainName, createdAt } = record;
    const outcome =
      problem === undefined
        ? { status: 'verified', verifiedAt: this.#clock.timestamp() }
        : { status: 'failed', lastVerificationError: problem };
    return { id, domainName, ...outcome, createdAt };
  }
}

/** Undefined for anything but an origin. */
function parseOrigin(value: unknown): string | undefined {
  if (typeof value !== 'string' && !isUrl(value)) return undefined;
  const text = String(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url?.href === `${url?.origin}/` && ['http:', 'https:'].includes(url.protocol);
  return isOrigin ? url.origin : undefined;
}

/** Also of another realm, as under Jest. */
const isUrl = (value: unknown) => isInstance(value, 'URL');

/** Undefined if the verification succeeds. */
async function findProblem(url: string, expected: string, closing: AbortSignal): Promise<string | undefined> {
  const controller = new AbortController();
  const close = () => controller.abort(closing.reason);
  const giveUp = () =>
    controller.abort(new Error(`it did not arrive within ${verificationTimeout / 1_000} seconds`));
  const timer = setTimeout(giveUp, verificationTimeout);
  closing.addEventListener('abort', close);
  if (closing.aborted) close();
  try {
    const response = await fetch(url, { redirect: 'manual', signal: controller.signal });
    if (response.status === 200) return contentProblem(url, await firstBytes(response), expected);
    const redirect = response.status >= 300 && response.status < 400 ? ' (redirects are not followed)' : '';
    return `${url} responded with ${response.status}, not 200${redirect}.`;
  } catch (error) {
    return `${url} could not be fetched: ${describeReason(error)}.`;
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', close);
    // Ends the request, because a partly read response would keep the connection open.
    controller.abort();
  }
}

function contentProblem(url: string, bytes: Uint8Array, expected: string): string | undefined {
  if (bytes.length > longestVerificationFile) {
    return `${url} is longer than ${longestVerificationFile} bytes, so it is not the verification file.`;
  }
  // Many editors add a line break at the end of a file.
  const same = ['', '\n', '\r\n'].some((end) => isEqual(bytes, new TextEncoder().encode(expected + end)));
  return same
    ? undefined
    : `${url} differs from the content of the verification file: it has ${bytes.length} bytes, and ${expected.length} were expected.`;
}

const isEqual = (one: Uint8Array, other: Uint8Array) =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

/** Reads the body, up to one byte more than the maximum of a verification file. */
async function firstBytes(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body === null ? [] : readChunks(response.body)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longestVerificationFile) break;
  }
  return joinBytes(chunks).subarray(0, longestVerificationFile + 1);
}

/**
 * Node's fetch itself reports only "fetch failed". The cause can consist of several errors, one for each
 * address.
 */
function describeReason(error: unknown): string {
  const cause = isError(error) && error.cause !== undefined ? error.cause : error;
  if (isErrorNamed(cause, 'AggregateError'))
    return (cause as AggregateError).errors.map((one) => describeReason(one)).join('; ');
  return isError(cause) ? cause.message : String(cause);
}
