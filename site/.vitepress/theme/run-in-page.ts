import * as client from 'payment-platform';
import * as sandboxEntry from 'payment-platform/sandbox';
import * as testing from 'payment-platform/testing';
import * as webhooks from 'payment-platform/webhooks';
import { drawQrCode } from '../../../sandbox/page/app/qr-path';
import type { Line } from './run-sample';

type Print = (line: Line) => void;

/** Formats a value as a terminal does. */
const format = (value: unknown) =>
  typeof value === 'string' ? value : value instanceof Error ? String(value) : JSON.stringify(value, null, 2);

const asBody = (name: 'sent' | 'received', value: unknown) =>
  value === undefined ? [] : [{ name, json: JSON.stringify(value, null, 2) }];

/** Draws the Pix code of a response; its field depends on the sandbox's options. */
function drawPixCode(response: unknown): Line['qrCode'] {
  const [, code] = /"(000201[^"]+)"/.exec(JSON.stringify(response) ?? '') ?? [];
  return code === undefined ? undefined : drawQrCode(code);
}

/** Prints each request to a sandbox, and each delivery from it. */
function printTraffic(sandbox: sandboxEntry.Sandbox, print: Print): void {
  sandbox.observe((entry) => {
    if (entry.kind === 'response') {
      const [request] = sandbox.journal.list({ after: entry.request - 1, limit: 1 });
      print({
        kind: 'request',
        text: `${entry.method} ${entry.path} → ${request?.status}`,
        bodies: [...asBody('sent', request?.body), ...asBody('received', request?.response)],
        qrCode: drawPixCode(request?.response),
      });
    }
    if (entry.kind === 'receipt') {
      const delivery = sandbox.webhooks.deliveries.find(({ id }) => id === entry.deliveryId);
      print({
        kind: 'webhook',
        text: `${entry.event} → ${entry.status ?? entry.error}`,
        bodies: asBody('sent', delivery && JSON.parse(delivery.body)),
      });
    }
  });
}

/** Runs a sample with the package's browser builds as its imports. */
export async function runSample(script: string, print: Print): Promise<void> {
  const modules: Readonly<Record<string, object>> = {
    'payment-platform': client,
    'payment-platform/webhooks': webhooks,
    'payment-platform/testing': testing,
    'payment-platform/sandbox': {
      ...sandboxEntry,
      createSandbox: (options?: sandboxEntry.SandboxOptions) => {
        const sandbox = sandboxEntry.createSandbox(options);
        printTraffic(sandbox, print);
        return sandbox;
      },
    },
  };
  const printAs =
    (kind: Line['kind']) =>
    (...values: unknown[]) =>
      print({ kind, text: values.map(format).join(' ') });
  const program = { log: printAs('printed'), error: printAs('error'), warn: printAs('error') };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  try {
    await new AsyncFunction('load', 'console', script)((from: string) => modules[from], program);
  } catch (error) {
    print({ kind: 'error', text: String(error) });
  }
}
