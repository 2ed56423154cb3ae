import * as client from 'payment-platform';
import * as sandboxEntry from 'payment-platform/sandbox';
import * as testing from 'payment-platform/testing';
import * as webhooks from 'payment-platform/webhooks';
import type { Line } from './run-sample';

type Tell = (line: Line) => void;

/** A value as a terminal shows it. */
const shown = (value: unknown) =>
  typeof value === 'string' ? value : value instanceof Error ? String(value) : JSON.stringify(value, null, 2);

/** Tells each request to a sandbox, and each delivery of it. */
function tellOf(sandbox: sandboxEntry.Sandbox, tell: Tell): void {
  sandbox.observe((entry) => {
    if (entry.kind === 'answer') {
      const { method, path } = entry;
      const [request] = sandbox.journal.list({ after: entry.request - 1, limit: 1 });
      tell({ kind: 'request', text: `${method} ${path} → ${request?.status}` });
    }
    if (entry.kind === 'receipt')
      tell({ kind: 'webhook', text: `${entry.event} → ${entry.status ?? entry.error}` });
  });
}

/** Runs a sample: what it imports is the package itself, in the page. */
export async function runSample(script: string, tell: Tell): Promise<void> {
  const modules: Readonly<Record<string, object>> = {
    'payment-platform': client,
    'payment-platform/webhooks': webhooks,
    'payment-platform/testing': testing,
    'payment-platform/sandbox': {
      ...sandboxEntry,
      createSandbox: (options?: sandboxEntry.SandboxOptions) => {
        const sandbox = sandboxEntry.createSandbox(options);
        tellOf(sandbox, tell);
        return sandbox;
      },
    },
  };
  const print =
    (kind: Line['kind']) =>
    (...values: unknown[]) =>
      tell({ kind, text: values.map(shown).join(' ') });
  const program = { log: print('printed'), error: print('error'), warn: print('error') };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  try {
    await new AsyncFunction('load', 'console', script)((from: string) => modules[from], program);
  } catch (error) {
    tell({ kind: 'error', text: String(error) });
  }
}
