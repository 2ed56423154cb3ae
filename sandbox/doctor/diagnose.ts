import type { PaymentPlatform } from '../../src/client.js';
import { isRecord } from '../../src/validation/record.js';
import { checkCharges } from './charge.js';
import {
  type CheckName,
  createSecretHider,
  type DoctorCheck,
  describeError,
  failed,
  hideFieldNames,
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
  /** True if no check failed and nobody ended the diagnosis. */
  readonly ok: boolean;
  /** The checks, in order. Skipped checks include the reason. */
  readonly checks: readonly DoctorCheck[];
  /** The differences from the API docs. */
  readonly drift: readonly DriftEntry[];
  /** Suggested options: `fieldNames` for the client and the sandbox, `statuses` for the sandbox. */
  readonly suggestion: {
    readonly fieldNames?: Readonly<Record<string, string>>;
    readonly statuses?: Readonly<Record<string, number>>;
  };
}

interface CheckGroup {
  readonly names: readonly [CheckName, ...CheckName[]];
  /** Whether the checks run after a deploy. */
  readonly isShort?: boolean;
  /** The result is the reason for skipping the names that it did not yield. */
  readonly run: (context: DiagnosisContext) => AsyncGenerator<DoctorCheck, string | undefined>;
}

const checkGroups: readonly CheckGroup[] = [
  { names: ['dns', 'connect', 'tls', 'proxy'], isShort: true, run: checkNetwork },
  { names: ['auth.headers', 'auth.oauth', 'auth.both', 'token'], isShort: true, run: checkCredentials },
  {
    names: ['http', 'clock', 'encoding', 'rate-limits', 'latency', 'keep-alive'],
    isShort: true,
    run: checkResponses,
  },
  {
    names: [
      'charge.same-key',
      'charge.at-once',
      'charge.other-payload',
      'charge.other-order',
      'charge.lost-response',
      'charge.similar-keys',
      'charge.body',
      'charge.field-names',
    ],
    run: checkCharges,
  },
  // After the payments, because their responses are compared with the API docs as well.
  { names: ['drift'], run: checkDrift },
  { names: ['webhook.endpoint', 'webhook.delivery', 'webhook.cleanup'], isShort: true, run: checkWebhook },
];

export async function runDiagnosis(platform: PaymentPlatform, options: DiagnoseOptions): Promise<Diagnosis> {
  if (!isRecord(platform) || typeof platform.request !== 'function')
    throw new TypeError('diagnose: the first argument must be a PaymentPlatform client.');
  const baseUrl = new URL(String(platform.toJSON().baseUrl));
  const context = await prepareDiagnosis(platform, baseUrl, readDiagnoseOptions(options, baseUrl));
  const checks: DoctorCheck[] = [];
  try {
    const { afterDeploy = false } = context.options;
    for (const group of checkGroups.filter(({ isShort }) => isShort === true || !afterDeploy)) {
      for await (const check of runGroup(group, context)) {
        const hide = createSecretHider(context.secrets);
        const { message, remedy } = check;
        const shown = { ...check, message: hide(message), ...(remedy && { remedy: hide(remedy) }) };
        checks.push(shown);
        context.options.onCheck?.(shown);
      }
    }
  } finally {
    endDiagnosis(context);
  }
  const ok = !context.signal.aborted && checks.every(({ status }) => status !== 'failed');
  return { ok, checks, ...listFindings(context) };
}

/** Yields exactly one check for each name. */
async function* runGroup({ names, run }: CheckGroup, context: DiagnosisContext): AsyncGenerator<DoctorCheck> {
  const left = new Set(names);
  let reason = context.unreachable;
  if (reason === undefined && !context.signal.aborted) {
    const found = run(context);
    try {
      let next = await found.next();
      for (; next.done !== true; next = await found.next()) {
        left.delete(next.value.name);
        yield context.signal.aborted ? withoutFindings(next.value, context) : next.value;
      }
      reason = next.value;
    } catch (error) {
      const [name = names[0]] = left;
      left.delete(name);
      yield failed(name, `Unexpected: ${describeError(error)}`, 'Please report it as a bug of this package.');
    }
  }
  for (const name of left) {
    const check = skipped(name, reason ?? 'An earlier check failed.');
    yield context.signal.aborted ? withoutFindings(check, context) : check;
  }
}

/**
 * Replaces a check whose requests were aborted. If the time is over, the first such check fails, and explains
 * why.
 */
function withoutFindings(check: DoctorCheck, context: DiagnosisContext): DoctorCheck {
  const { timer } = context;
  const { name, status } = check;
  if (status === 'ok' || (name === 'webhook.cleanup' && status !== 'skipped')) return check;
  if (!timer.isOver()) return skipped(name, 'The diagnosis was ended.');
  if (context.unreachable !== undefined) return skipped(name, context.unreachable);
  context.unreachable = `The diagnosis did not end within ${timer.total / 1_000} s.`;
  return failed(
    name,
    context.unreachable,
    'Repair the slow connection to the platform, or raise timeout (--timeout).',
  );
}

/** Leaves out values in the place of names. */
function listFindings({ secrets, personal, drift, fieldNames, statuses }: DiagnosisContext) {
  const hide = createSecretHider([...secrets, ...personal]);
  const shown = Object.entries(fieldNames).filter(([, wire]) => hideFieldNames(wire, hide) === wire);
  return {
    drift: drift.map((entry) => ({
      ...entry,
      field: hideFieldNames(entry.field, hide),
      problem: hide(entry.problem),
    })),
    suggestion: {
      ...(shown.length > 0 && { fieldNames: Object.fromEntries(shown) }),
      ...(Object.keys(statuses).length > 0 && { statuses: statuses as Record<string, number> }),
    },
  };
}
