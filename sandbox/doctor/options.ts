import { isLoopback } from '../../src/contract/patterns.js';
import type { ClientOptions } from '../../src/options.js';
import { type Issue, listIssues } from '../../src/validation/issue.js';
import {
  type Accepted,
  booleanReader,
  functionReader,
  integerReader,
  type OptionReaders,
  objectReader,
  readOptions,
  validIf,
} from '../../src/validation/options.js';
import type { DoctorCheck } from './check.js';

/** The options of `diagnose`. By default, `diagnose` only reads data. */
export interface DiagnoseOptions {
  /**
   * The options used to create `platform`. They contain the credentials, which the client does not expose.
   * Default: the environment variables `PAYMENT_PLATFORM_CLIENT_ID` and `PAYMENT_PLATFORM_CLIENT_SECRET`.
   */
  client?: ClientOptions | undefined;
  /**
   * Whether to create eight Pix payments of the minimum amount, and a ninth if the webhook check waits for a
   * delivery. Requires loopback or `isStaging`. Default `false`.
   */
  charge?: boolean | undefined;
  /**
   * Whether to run only the checks that a pipeline needs after each deploy: the path to the platform, and the
   * receiver behind `webhookUrl`. They end within nine seconds. Default `false`.
   */
  afterDeploy?: boolean | undefined;
  /**
   * Confirms that the base address belongs to staging, and that the payments are not real. Default `false`.
   */
  isStaging?: boolean | undefined;
  /**
   * The webhook URL that `diagnose` checks. The URL must use https, unless its host is a loopback address. If
   * your receiver listens there, the check sends it deliveries that it must reject. Otherwise, with `charge`,
   * the check waits for a delivery.
   */
  webhookUrl?: string | undefined;
  /** The endpoint's webhook secret, 16 to 256 characters. Default: a new secret for a new endpoint. */
  webhookSecret?: string | undefined;
  /**
   * The local port that receives the deliveries for `webhookUrl`. Default: the URL's own port, if its host is
   * a loopback address.
   */
  webhookPort?: number | undefined;
  /**
   * How many milliseconds to wait for each request, each connection and a delivery. The whole diagnosis ends
   * after six times as long. Default 30000. With `afterDeploy`, at most 3000, and nine seconds for the whole diagnosis.
   */
  timeout?: number | undefined;
  /** Receives each check as soon as it finishes. */
  onCheck?: ((check: DoctorCheck) => void) | undefined;
  /** Ends the diagnosis early. `diagnose` skips the remaining checks, but still removes its endpoint from a sandbox. */
  signal?: AbortSignal | undefined;
}

const isWebhookUrl = (value: unknown): boolean =>
  typeof value === 'string' &&
  URL.canParse(value) &&
  (new URL(value).protocol === 'https:' || isLoopback(new URL(value)));

const optionReaders: OptionReaders<DiagnoseOptions> = {
  client: objectReader(),
  charge: booleanReader,
  afterDeploy: booleanReader,
  isStaging: booleanReader,
  webhookUrl: validIf(isWebhookUrl, 'must be an https URL, or http on loopback'),
  webhookSecret: validIf(
    (value) => typeof value === 'string' && value.length >= 16 && value.length <= 256,
    'must have 16 to 256 characters',
  ),
  webhookPort: validIf(
    (value) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536,
    'must be a port number: an integer from 1 to 65535',
  ),
  timeout: integerReader(1, 'a number of milliseconds'),
  onCheck: functionReader(),
  signal: objectReader<AbortSignal>(),
};

export function readDiagnoseOptions(input: unknown, baseUrl: URL): Accepted<typeof optionReaders> {
  // A signal is not a plain object, so it is copied separately.
  const { signal, ...plain } = (input ?? {}) as DiagnoseOptions;
  const { value = {}, issues } = readOptions(plain, optionReaders);
  const problems: Issue[] = [...issues];
  if (value.charge === true && value.isStaging !== true && !isLoopback(baseUrl))
    problems.push({
      path: 'charge',
      message: `is not allowed on ${baseUrl.host}: payments can be real there. If it is staging, pass isStaging: true`,
    });
  if (value.charge === true && value.afterDeploy === true)
    problems.push({
      path: 'charge',
      message: 'cannot be combined with afterDeploy, which creates no payments',
    });
  if (signal !== undefined && typeof signal.addEventListener !== 'function')
    problems.push({ path: 'signal', message: 'must be an AbortSignal' });
  if (problems.length > 0) throw new TypeError(listIssues('diagnose', problems));
  return { ...value, signal };
}
