import { isRecord } from '../../../src/validation/record.js';
import type { Sandbox } from '../../control/sandbox-interface.js';
import { listTimelineEntries } from '../../control/timeline-entries.js';
import type { JournalRequest } from '../../http/journal-entry.js';
import type { Timeline, TimelineEntry } from '../../timeline/timeline.js';

export interface Selection {
  readonly entries: readonly TimelineEntry[];
  readonly findRequest: (number: number) => JournalRequest | undefined;
}

/**
 * The test registers its own receivers, adds the faults that occurred, and has one merchant. A request that got a 401
 * is copied with a wrong secret.
 */
const notRepeated =
  /^(webhooks\.(register|connect|faults\..*)|faults\..*|oauth\..*|credentials\..*|add\w+|certificates\..*|domains\..*)$/;

/** The merchants of a call are named by their client ids. */
const isOfOther = (entry: TimelineEntry, clientId: string) =>
  entry.kind === 'control' &&
  entry.args.some((value) => isRecord(value) && 'clientId' in value && value.clientId !== clientId);

const isNotRepeated = (entry: TimelineEntry) => entry.kind === 'control' && notRepeated.test(entry.call);

/** Controls that affect payments with sellers. */
const sellerControls = /^(submerchants|onboarding|features)\./;

/** The events of one payment include its sub-accounts, and the payment whose upsell token it uses. */
export function select(sandbox: Sandbox, timeline: Timeline, payment: string | undefined): Selection {
  const requests = new Map(sandbox.journal.requests.map((request) => [request.number, request]));
  const findRequest = (number: number) => requests.get(number);
  const { clientId } = sandbox.clientOptions();
  const all = listTimelineEntries(sandbox, timeline, { limit: Number.POSITIVE_INFINITY }).filter(
    (entry) => !isNotRepeated(entry) && !isOfOther(entry, clientId),
  );
  if (payment === undefined) return { entries: all, findRequest };
  const about = (id: string) =>
    listTimelineEntries(sandbox, timeline, { payment: id, limit: Number.POSITIVE_INFINITY });
  const own = about(payment);
  const numbers = new Set(own.map(({ number }) => number));
  const bodies = own.flatMap((entry) => ('request' in entry ? [findRequest(entry.request)?.body] : []));
  const first = own[0]?.number ?? 0;
  if (bodies.some((body) => isRecord(body) && (body.subMerchant !== undefined || body.split !== undefined))) {
    for (const entry of all) {
      const name = entry.kind === 'control' ? entry.call : (entry.operation ?? '');
      if (entry.number < first && sellerControls.test(name)) numbers.add(entry.number);
    }
  }
  if (bodies.some((body) => isRecord(body) && isRecord(body.card) && body.card.upsellToken !== undefined)) {
    const parent = all.findLast(
      (entry) => entry.number < first && entry.kind === 'response' && hasUpsell(findRequest(entry.request)),
    );
    if (parent?.paymentId !== undefined)
      for (const { number } of about(parent.paymentId)) if (number < first) numbers.add(number);
  }
  return { entries: all.filter(({ number }) => numbers.has(number)), findRequest };
}

export const hasUpsell = (request: JournalRequest | undefined): boolean =>
  isRecord(request?.response) && request.response.upsell !== undefined;
