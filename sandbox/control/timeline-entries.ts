import type { JournalRequest } from '../http/journal-entry.js';
import type { Timeline, TimelineEntry, TimelineEvent } from '../timeline/timeline.js';
import type { Sandbox } from './sandbox-interface.js';

interface Query {
  readonly payment?: string | undefined;
  /** Selects entries before this number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export const observe = (
  sandbox: Sandbox,
  timeline: Timeline,
  listener: (entry: TimelineEntry) => void,
): (() => void) => timeline.listen((event) => listener(joined(indexRequests(sandbox))(event)));

export function listTimelineEntries(
  sandbox: Sandbox,
  timeline: Timeline,
  { payment, before, limit }: Query,
): TimelineEntry[] {
  const value = timeline.events.filter(({ number }) => before === undefined || number < before);
  if (payment === undefined) return value.slice(-limit).map(joined(indexRequests(sandbox)));
  return entriesAbout(sandbox, value, payment).slice(-limit);
}

/** Includes the moves of the clock between the payment's events. */
function entriesAbout(sandbox: Sandbox, events: readonly TimelineEvent[], payment: string): TimelineEntry[] {
  const { idempotencyKey } = sandbox.control.payments.details(payment);
  const entries = events.map(joined(indexRequests(sandbox)));
  const names = new Set<unknown>([payment, idempotencyKey ?? payment]);
  for (const entry of entries)
    if (entry.kind === 'attempt' && entry.paymentId === payment) names.add(entry.deliveryId);
  const concerns = (entry: TimelineEntry) =>
    entry.paymentId === payment || (entry.kind === 'control' && entry.args.some((value) => names.has(value)));
  const own = entries.filter(concerns);
  const [first, last] = [own[0]?.number ?? 0, own.at(-1)?.number ?? 0];
  return entries.filter(
    (entry) => concerns(entry) || (entry.kind === 'clock' && entry.number > first && entry.number < last),
  );
}

/** Reads each request at most once. */
function indexRequests({ journal }: Sandbox): (number: number) => JournalRequest | undefined {
  const known = new Map<number, JournalRequest | undefined>();
  return (number) => {
    if (!known.has(number)) known.set(number, journal.list({ after: number - 1, limit: 1 })[0]);
    const found = known.get(number);
    return found?.number === number ? found : undefined;
  };
}

const joined =
  (findRequest: (number: number) => JournalRequest | undefined) =>
  (event: TimelineEvent): TimelineEntry => {
    if (!('request' in event)) return event;
    const request = findRequest(event.request);
    if (request === undefined) return event;
    const { method, path, operation, idempotencyKey, paymentId, status } = request;
    const about = { method, path, operation, idempotencyKey, paymentId };
    return event.kind === 'response' ? { ...event, ...about, status } : { ...event, ...about };
  };
