import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openTelemetry } from 'payment-platform';
import { createReceiver, memoryDedupe, sign } from 'payment-platform/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { durable, order, rejection } from '../../support/durable.js';
import { registeredTelemetry } from './registered-telemetry.js';

const alerts = fileURLToPath(new URL('../../../examples/monitoring/alerts.yml', import.meta.url));
const dashboard = fileURLToPath(new URL('../../../examples/monitoring/dashboard.json', import.meta.url));

/** Finds the queries of the alert rules and of the dashboard. */
function findQueries(): string[] {
  const rules = [...readFileSync(alerts, 'utf8').matchAll(/^ *expr: (.+)$/gm)].map(([, query]) => `${query}`);
  const { panels } = JSON.parse(readFileSync(dashboard, 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  return [...rules, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
}

const toLabel = (name: string) => name.replaceAll('.', '_');

/** Measures a payment and a delivery, and returns the names and labels as Prometheus shows them. */
async function measure(): Promise<Map<string, Set<string>>> {
  const { api, metrics, close } = registeredTelemetry();
  onTestFinished(close);
  const telemetry = openTelemetry(api);
  const { payments, sandbox } = durable({ telemetry, client: { telemetry, maxRetries: 1 } });
  const controller = new AbortController();
  const running = payments.run({ signal: controller.signal });
  await payments.create(order, { key: 'order-1' });
  sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 }, times: 2 });
  await rejection(payments.create(order, { key: 'order-2' }));
  const secret = 'whsec_0123456789abcdef';
  const receiver = createReceiver({
    secret,
    telemetry,
    dedupe: memoryDedupe(),
    onUnhandled: () => undefined,
  });
  const body = JSON.stringify({ event: 'transaction.paid', id: 'a' });
  await receiver.receive({ body, headers: sign({ body, secret }) });
  const measured = await metrics();
  controller.abort();
  await running;
  const suffixes = ({ unit, isCounter, isHistogram }: (typeof measured)[number]) => {
    const name = unit === 's' ? '_seconds' : '';
    return isHistogram ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [isCounter ? '_total' : name];
  };
  return new Map(
    measured.flatMap((metric) =>
      suffixes(metric).map((suffix) => [
        `${toLabel(metric.name)}${suffix}`,
        new Set(['le', ...metric.attributes.map(toLabel)]),
      ]),
    ),
  );
}

test('the alert rules and the dashboard use only metrics and labels that the SDK measures', async () => {
  const measured = await measure();
  const queries = findQueries();
  expect(queries.length).toBeGreaterThan(12);
  for (const query of queries) {
    const [, metric = ''] = /(payment_platform_(?!state|outcome|operation|event)\w+)/.exec(query) ?? [];
    expect([query, measured.has(metric)]).toEqual([query, true]);
    const labels = [
      ...query.matchAll(/(\w+)(?==~?")/g),
      ...[...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => [...list.matchAll(/(\w+)/g)]),
    ].map(([, label]) => label);
    expect(labels.filter((label) => !measured.get(metric)?.has(`${label}`))).toEqual([]);
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool)('promtool accepts the alert rules (needs promtool)', () => {
  expect(String(execFileSync('promtool', ['check', 'rules', alerts]))).toContain('SUCCESS');
});
