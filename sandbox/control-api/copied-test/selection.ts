import { isRecord } from '../../../src/validation/record.js';
import type { MerchantFeatures } from '../../control/merchant-control.js';
import type { Sandbox } from '../../control/sandbox-interface.js';
import { listTimelineEntries } from '../../control/timeline-entries.js';
import type { Journal } from '../../http/journal.js';
import type { JournalRequest } from '../../http/journal-entry.js';
import type { Timeline, TimelineEntry } from '../../timeline/timeline.js';
import { ids } from './literal.js';
import { refuse, withoutRun } from './refusal.js';

export interface Session {
  readonly timeline: Timeline;
  readonly journal: Pick<Journal, 'findClient'>;
  /** The options of `createSandbox`. */
  readonly options: object;
}

export interface Selection {
  readonly entries: readonly TimelineEntry[];
  readonly findRequest: (number: number) => JournalRequest | undefined;
  /** The ids that other merchants have received. */
  readonly foreign: ReadonlySet<string>;
  /** The client id of the merchant whose events these are. */
  readonly owner: string | undefined;
}

/** The test calls these controls again. */
const controls =
  /^((payments|submerchants|onboarding|withdrawals|features|webhooks)\.\w+|certificates\.create)$/;

/** The test sends the requests of these operations again. A certificate is activated with its own key only. */
const operations =
  /^((payments|submerchants|onboarding|domains|vault|oauth|webhooks)\..*|certificates\.(list|revoke))$/;

/**
 * The test registers its own receivers, adds the faults that occurred, and has one merchant. A request that got a 401
 * is copied with a wrong secret. The control that issues a certificate changes nothing.
 */
const needless =
  /^(webhooks\.(register|connect|faults\..*)|faults\..*|oauth\..*|credentials\..*|add\w+|certificates\.issue)$/;

/** Controls that affect payments with sellers. */
const sellerControls = /^(submerchants|onboarding|features)\./;

/** The events of one payment include its sub-accounts, and the payment whose upsell token it uses. */
export function select(
  sandbox: Sandbox,
  { timeline, journal }: Session,
  payment: string | undefined,
): Selection {
  const requests = new Map(sandbox.journal.requests.map((request) => [request.number, request]));
  const findRequest = (number: number) => requests.get(number);
  const first = sandbox.control.features.list()[0]?.clientId;
  const owner = payment === undefined ? first : sandbox.control.payments.details(payment).clientId;
  /** The merchants of a call are named by their client ids. Only calls of `features` have a default. */
  const isOfOther = (entry: TimelineEntry) => {
    if ('request' in entry) return (journal.findClient(entry.request) ?? owner) !== owner;
    if (entry.kind !== 'control') return false;
    const named = entry.args.find((value) => isRecord(value) && 'clientId' in value) as MerchantFeatures;
    return (named?.clientId ?? (entry.call.startsWith('features.') ? first : owner)) !== owner;
  };
  const all = listTimelineEntries(sandbox, timeline, { limit: Number.POSITIVE_INFINITY }).filter(
    (entry) => entry.kind !== 'control' || !needless.test(entry.call),
  );
  const own = all.filter((entry) => !isOfOther(entry));
  const foreign = new Set(
    [...requests.values()].flatMap(({ number, response }) =>
      (journal.findClient(number) ?? owner) === owner
        ? []
        : (JSON.stringify(response ?? '').match(ids) ?? []),
    ),
  );
  const select = (entries: readonly TimelineEntry[]) => {
    for (const entry of entries) checkRepeatable(entry, findRequest);
    return { entries, findRequest, owner, foreign };
  };
  if (payment === undefined) {
    if (!timeline.isWhole) refuse('the sandbox does not remember how it began', withoutRun);
    if (own.length < all.length) refuse('it concerns several merchants', 'Copy one payment');
    return select(all);
  }
  const about = (id: string) =>
    listTimelineEntries(sandbox, timeline, { payment: id, limit: Number.POSITIVE_INFINITY });
  const events = about(payment);
  const numbers = new Set(events.map(({ number }) => number));
  const bodies = events.flatMap((entry) => ('request' in entry ? [findRequest(entry.request)?.body] : []));
  const start = events[0]?.number ?? 0;
  if (bodies.some((body) => isRecord(body) && (body.subMerchant !== undefined || body.split !== undefined))) {
    if (!timeline.isWhole) refuse('the sandbox does not remember how the sellers were registered');
    for (const entry of own) {
      const name = entry.kind === 'control' ? entry.call : (entry.operation ?? '');
      if (entry.number < start && sellerControls.test(name)) numbers.add(entry.number);
    }
  }
  if (bodies.some((body) => isRecord(body) && isRecord(body.card) && body.card.upsellToken !== undefined)) {
    const parent = own.findLast(
      (entry) => entry.number < start && entry.kind === 'response' && hasUpsell(findRequest(entry.request)),
    );
    if (parent?.paymentId === undefined) refuse('the sandbox does not remember the upsell token');
    for (const { number } of about(parent.paymentId)) if (number < start) numbers.add(number);
  }
  return select(own.filter(({ number }) => numbers.has(number)));
}

function checkRepeatable(entry: TimelineEntry, findRequest: Selection['findRequest']): void {
  const depends = 'whose result depends on more than the journal keeps';
  if (entry.kind === 'control' && !controls.test(entry.call))
    refuse(`it calls control.${entry.call}, ${depends}`);
  if (entry.kind !== 'request') return;
  const request = findRequest(entry.request);
  if (request === undefined) refuse(`the journal has dropped request ${entry.request}`);
  const { operation, status, response } = request;
  if (status === 400 && JSON.stringify(response ?? '').includes('The content type must be'))
    refuse(`the journal keeps no content types, and request ${entry.request} has a wrong one`);
  if (operation !== undefined && !operations.test(operation)) refuse(`it calls ${operation}, ${depends}`);
  if (status === undefined && request.fault === undefined) refuse(`request ${entry.request} is running`);
}

export const hasUpsell = (request: JournalRequest | undefined): boolean =>
  isRecord(request?.response) && request.response.upsell !== undefined;
