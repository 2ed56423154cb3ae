import pc from 'picocolors';
import type { ControlClient, ControlResponse } from '../control-client.js';
import { printJson, printLine } from '../output.js';
import { oneLine } from '../printable.js';
import { outputEnded } from '../write.js';

export async function followJournal(
  client: ControlClient,
  first: readonly ControlResponse[],
  { follow = false, json = false }: { readonly follow?: boolean; readonly json?: boolean },
): Promise<void> {
  const print = (entry: ControlResponse) => (json ? printJson(entry) : printLine(formatLine(entry)));
  let last = 0;
  /**
   * Prints entries up to the first running request, which has no status yet. That request and the requests
   * after it are printed when it has ended.
   */
  const printUpTo = (entries: readonly ControlResponse[]) => {
    for (const entry of entries) {
      if (follow && entry.status === undefined && entry.fault === undefined) return;
      print(entry);
      last = Number(entry.number);
    }
  };
  printUpTo(first);
  if (!follow) return;
  try {
    const { body } = await client.stream('GET /events', outputEnded);
    for await (const _ of body ?? []) {
      if (await wasReset(client, last)) last = 0;
      printUpTo(await fetchEntries(client, `after=${last}&limit=1000`));
    }
  } catch (error) {
    if (!outputEnded.aborted) throw error;
  }
}

const fetchEntries = (client: ControlClient, query: string): Promise<ControlResponse[]> =>
  client.list(`GET /journal?${query}`);

/** After a reset, request numbers start from 1 again. */
async function wasReset(client: ControlClient, last: number): Promise<boolean> {
  const [newest] = await fetchEntries(client, 'limit=1');
  return Number(newest?.number ?? 0) < last;
}

function formatLine({
  number,
  at,
  method,
  path,
  status,
  operation,
  idempotencyKey,
  fault,
}: ControlResponse): string {
  const ok = typeof status === 'number' && status < 400;
  const statusText = oneLine(String(status));
  const outcome = status === undefined ? pc.yellow('---') : ok ? pc.green(statusText) : pc.red(statusText);
  const details = [
    operation,
    idempotencyKey !== undefined && `key ${idempotencyKey}`,
    fault !== undefined && `fault ${typeof fault === 'string' ? fault : JSON.stringify(fault)}`,
  ].filter((detail) => detail !== undefined && detail !== false);
  const text = oneLine(`${method} ${path}`);
  return `${pc.dim(oneLine(`${number} ${at}`))} ${outcome} ${text} ${pc.dim(oneLine(details.join(', ')))}`.trimEnd();
}
