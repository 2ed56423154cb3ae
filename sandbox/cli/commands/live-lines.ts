import pc from 'picocolors';
import type { JournalRequest, Sandbox, TimelineEntry } from '../../index.js';
import { printJson, printLine } from '../output.js';
import { oneLine } from '../printable.js';

/** In characters. */
const longestReason = 160;

export function printLive(sandbox: Sandbox, { json = false }: { readonly json?: boolean }): void {
  /** In real milliseconds. */
  const begun = new Map<string, number>();
  const findDuration = (key: string) => {
    const start = begun.get(key);
    begun.delete(key);
    return start === undefined ? undefined : Math.round(performance.now() - start);
  };
  const findRequest = (number: number) => sandbox.journal.list({ after: number - 1, limit: 1 })[0];
  sandbox.observe((entry) => {
    switch (entry.kind) {
      case 'request':
        begun.set(`request ${entry.request}`, performance.now());
        return;
      case 'fault':
      case 'response':
        return tell(
          entry,
          lineOfRequest(entry, findRequest(entry.request)),
          findDuration(`request ${entry.request}`),
        );
      case 'attempt':
        begun.set(`delivery ${entry.deliveryId} ${entry.attempt}`, performance.now());
        return;
      case 'receipt':
        return tell(
          entry,
          lineOfDelivery(entry),
          findDuration(`delivery ${entry.deliveryId} ${entry.attempt}`),
        );
      default:
        return;
    }
  });
  const tell = ({ at, ...entry }: TimelineEntry, parts: readonly Part[], duration: number | undefined) => {
    if (json) return printJson({ at, ...entry, duration });
    const time = pc.dim(at.slice(11, 19));
    const took = duration === undefined ? '' : pc.dim(`${duration} ms`);
    const [what = '', ...details] = parts.filter((part) => part !== undefined);
    printLine([time, what, took, ...details].filter((part) => part !== '').join('  '));
  };
}

type Part = string | undefined;

type Of<Kind> = Extract<TimelineEntry, { readonly kind: Kind }>;

const coloured = (status: unknown, isGood: boolean) =>
  (isGood ? pc.green : pc.red)(oneLine(String(status ?? '---')));

function lineOfRequest(
  entry: Of<'fault'> | Of<'response'>,
  request: JournalRequest | undefined,
): readonly Part[] {
  const { method = '', path = '', paymentId } = { ...entry, ...request };
  const status = entry.kind === 'response' ? request?.status : undefined;
  const what = `${oneLine(`${method} ${path}`)} ${coloured(status, Number(status) < 400)}`;
  const ignored = request?.ignored ?? [];
  return [
    what,
    paymentId,
    entry.kind === 'fault' ? pc.yellow(`fault ${oneLine(JSON.stringify(entry.fault))}`) : undefined,
    entry.kind === 'response' && Number(status) >= 400 ? pc.red(describeReason(request)) : undefined,
    ignored.length === 0
      ? undefined
      : pc.yellow(oneLine(`ignored: ${ignored.join(', ')}`).slice(0, longestReason)),
  ];
}

function describeReason(request: JournalRequest | undefined): string {
  const { error } = (request?.response ?? {}) as { readonly error?: { readonly message?: unknown } };
  return oneLine(String(error?.message ?? '')).slice(0, longestReason);
}

function lineOfDelivery({ event, state, status, error, attempt, paymentId }: Of<'receipt'>): readonly Part[] {
  const isGood = state === 'delivered';
  return [
    `→ ${oneLine(event)} ${coloured(status, isGood)}`,
    paymentId,
    attempt > 1 ? `attempt ${attempt}` : undefined,
    isGood || error === undefined ? undefined : pc.red(oneLine(error).slice(0, longestReason)),
  ];
}
