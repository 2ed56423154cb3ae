import type { PaymentPlatform } from '../../src/client.js';
import { isRecord } from '../../src/validation/record.js';
import { checkCharges } from './charge.js';
import {
  type CheckName,
  createSecretHider,
  type DoctorCheck,
  describeError,
  failed,
  skipped,
} from './check.js';
import { checkCredentials } from './credentials.js';
import {
  type DiagnosisContext,
  type DriftEntry,
  endDiagnosis,
  prepareDiagnosis,
} from './diagnosis-context.js';
import { checkDrift } from './drift.js';
import { checkNetwork } from './network.js';
import { type DiagnoseOptions, readDiagnoseOptions } from './options.js';
import { checkResponses } from './responses.js';
import { checkWebhook } from './webhook.js';

/** The result of `diagnose`. Contains no secret. */
export interface Diagnosis {
  /** True if no check failed and the diagnosis was not ended. */
  readonly ok: boolean;
  /** Every check, in order. Skipped checks include the reason. */
  readonly checks: readonly DoctorCheck[];
  /** The differences from the API docs. */
  readonly drift: readonly DriftEntry[];
  /** Suggested options: `fieldNames` for the client and the sandbox, `statuses` for the sandbox. */
  readonly suggestion: {
    readonly fieldNames?: Readonly<Record<string, string>>;
    readonly statuses?: Readonly<Record<string, number>>;
  };
}

/** The groups of checks, in order. An unexpected error in a group is reported as the named check. */
const checkGroups: readonly (readonly [
  CheckName,
  (context: DiagnosisContext) => AsyncGenerator<DoctorCheck>,
])[] = [
  ['connect', checkNetwork],
  ['auth.headers', checkCredentials],
  ['http', checkResponses],
  ['drift', checkDrift],
  ['charge.same-key', checkCharges],
  ['webhook.endpoint', checkWebhook],
];

/** Runs the groups of checks, one after another. */
export async function runDiagnosis(platform: PaymentPlatform, options: DiagnoseOptions): Promise<Diagnosis> {
  if (!isRecord(platform) || typeof platform.request !== 'function')
    throw new TypeError('diagnose: the first argument must be a PaymentPlatform client.');
  const baseUrl = new URL(String(platform.toJSON().baseUrl));
  const context = await prepareDiagnosis(platform, baseUrl, readDiagnoseOptions(options, baseUrl));
  const checks: DoctorCheck[] = [];
  const add = (input: DoctorCheck) => {
    const check = context.signal.aborted ? withoutFindings(input) : input;
    const hide = createSecretHider(context.secrets);
    const { message, remedy } = check;
    const shown = { ...check, message: hide(message), ...(remedy && { remedy: hide(remedy) }) };
    checks.push(shown);
    context.options.onCheck?.(shown);
  };
  try {
    for (const [name, run] of checkGroups) {
      try {
        for await (const check of run(context)) add(check);
      } catch (error) {
        add(
          failed(name, `Unexpected: ${describeError(error)}`, 'Please report it as a bug of this package.'),
        );
      }
    }
  } finally {
    endDiagnosis(context);
  }
  const { drift, fieldNames, statuses } = context;
  const suggestion = {
    ...(Object.keys(fieldNames).length > 0 && { fieldNames }),
    ...(Object.keys(statuses).length > 0 && { statuses: statuses as Record<string, number> }),
  };
  const ok = !context.signal.aborted && checks.every(({ status }) => status !== 'failed');
  return { ok, checks, drift, suggestion };
}

/** Skips a check whose requests were aborted because the diagnosis was ended. */
const withoutFindings = (check: DoctorCheck): DoctorCheck =>
  check.status === 'ok' || check.name === 'webhook.cleanup'
    ? check
    : skipped(check.name, 'The diagnosis was ended.');
