import pc from 'picocolors';
import type { ControlClient } from '../control-client.js';
import { say, sayJson } from '../output.js';
import { oneLine } from '../printable.js';

type Entry = Readonly<Record<string, unknown>>;

/** Prints requests, and with `follow` each one that comes, until the sandbox or the process ends. */
export async function followJournal(
  client: ControlClient,
  first: readonly Entry[],
  { follow = false, json = false }: { readonly follow?: boolean; readonly json?: boolean },
): Promise<void> {
  const print = (entry: Entry) => (json ? sayJson(entry) : say(lineOf(entry)));
  let last = 0;
  /** A request without a status is under way: it is printed when it has one, and the ones after it then, too. */
  const printUpTo = (entries: readonly Entry[]) => {
    for (const entry of entries) {
      if (follow && entry.status === undefined && entry.fault === undefined) return;
      print(entry);
      last = Number(entry.number);
    }
  };
  printUpTo(first);
  if (!follow) return;
  const { body } = await client.open('GET', '/events');
  for await (const _ of body ?? []) {
    const answer = (await client.call('GET', `/journal?after=${last}&limit=1000`)) as { data: Entry[] };
    printUpTo(answer.data);
  }
}

function lineOf({ number, at, method, path, status, operation, idempotencyKey, fault }: Entry): string {
  const ok = typeof status === 'number' && status < 400;
  const outcome =
    status === undefined ? pc.yellow('---') : ok ? pc.green(String(status)) : pc.red(String(status));
  const details = [
    operation,
    idempotencyKey !== undefined && `key ${idempotencyKey}`,
    fault !== undefined && `fault ${typeof fault === 'string' ? fault : JSON.stringify(fault)}`,
  ].filter((detail) => detail !== undefined && detail !== false);
  const text = oneLine(`${method} ${path}`);
  return `${pc.dim(`${number} ${at}`)} ${outcome} ${text} ${pc.dim(oneLine(details.join(', ')))}`.trimEnd();
}
