import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from '../../vitest.config.js';

/**
 * Only tests of single functions, and of calls over a simulated network, with the quickest first. Each of
 * thousands of mutants runs all tests that reach it.
 */
const include = [
  'validation/json contract/payment-request webhooks/options webhooks/verify webhooks/raw-body transport/retry/retry-policy',
  'transport/retry/failures transport/response/classify-failure transport/prepare/idempotency',
  'transport/response/read-result transport/response/read-body contract/read-value',
  'redact/confidential-patterns redact/sent-values redact/secrets redact/message-redactor',
  'redact/cause redact/headers transport/response/error-body',
  'redact/platform-messages interop/telemetry/platform-messages redact/confidential-fields redact/sinks transport/response/wrong-labels',
  'contract/field-names contract/generated webhooks/field-names transport/retry/attempts',
  'webhooks/receiver/receiver-options webhooks/receiver/receive webhooks/receiver/secrets',
  'webhooks/receiver/handle-once transport/retry/status newcomer-mistakes client-checks',
  'redact/attacked interop/telemetry/telemetry transport/retry/shared-rate-limit',
  'transport/response/response transport/response/echo transport/report/gateway-pages transport/report/drift',
  'contract/pasted-values webhooks/pasted-secret transport/send/failure-codes',
  'webhooks/receiver/watched interop/telemetry/receiver auth/rejected-tokens auth/token-request transport/prepare/hostile-caller',
  'contract/renamed-journey transport/upload/multipart transport/send/connection',
  'durable/final-failures durable/blocked durable/refresh durable/settler durable/withdrawals durable/onboarding',
  'durable/create durable/stored-data durable/recovery durable/notifications durable/overdue interop/telemetry/durable',
  'webhooks/receiver/changed webhooks/receiver/endpoints webhooks/receiver/lost-claim',
  'webhooks/receiver/transaction-order webhooks/receiver/concurrency webhooks/receiver/standstill',
  'webhooks/receiver/own-transaction durable/transitions durable/sqlite-transactions',
].flatMap((names) => names.split(' ').map((name) => `test/${name}.test.ts`));

// With a wrong file name, mutants would survive unnoticed.
const missing = include.filter((path) => !existsSync(path));
if (missing.length > 0) throw new Error(`Missing: ${missing.join(', ')}.`);

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => include.findIndex((path) => moduleId.endsWith(path));
    return files.toSorted((one, other) => place(one) - place(other));
  }
}

// A few random values find as many mutants as a full run.
process.env.LOAD ??= '0.3';

const { projects, ...test } = base.test ?? {};

export default defineConfig({
  ...base,
  test: {
    ...test,
    include,
    reporters: ['default'],
    // All files share one process, because loading the sources for each file would take longer than the
    // tests.
    isolate: false,
    // Loads everything before the first test, so that values computed at load time count as static.
    setupFiles: ['test/support/load-all.ts'],
    sequence: { sequencer: InOrder },
  },
});
