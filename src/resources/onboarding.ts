import type {
  OnboardingPf,
  OnboardingPj,
  OnboardingRegistration,
  OnboardingStatus,
  ResentDocuments,
} from '../contract/onboarding/types.js';
import { ValidationError } from '../errors/usage.js';
import { issuesAt } from '../input/issue.js';
import { aBoolean, type Readers, readOptions } from '../input/options.js';
import { type WaitForOptions, waitForStatus } from '../polling/wait-for-status.js';
import { type CallOptions, callReaders } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';

/** Options of a resend. */
export interface ResendOptions extends CallOptions {
  /** Ask the status first, as the API document wants it (default), or spare that call. */
  checkStatus?: boolean | undefined;
}

const readers: Readers<ResendOptions> = { ...callReaders, checkStatus: aBoolean };

/** Onboarding of sellers: natural persons (PF) and legal entities (PJ), with their documents. */
export class Onboarding {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Starts the onboarding of a natural person (API document, POST /v2/submerchants/onboarding/pf). It is
   * decided later: see `waitFor`.
   *
   * Files are paths, bytes, Blobs or streams; formats and sizes that the platform takes are not shown.
   * CPF, CEP and phone may have punctuation. The platform requires a key, a UUID v4, which becomes the
   * sub-account's externalId: without `idempotencyKey` one is made, and is on the result
   * (`responseOf(registration).idempotencyKey`). At most 10 a minute, with `submitPj` and changes to
   * sub-accounts. For large files give a longer `timeout` than the client's 30 seconds.
   *
   * @throws ValidationError naming every broken rule and every file that cannot be read; nothing was sent.
   * @throws IdempotencyConflictError 409: the key was used with another form.
   * @throws PermissionError 403: onboarding is not enabled for this merchant.
   */
  submitPf(form: OnboardingPf, options?: CallOptions): Promise<OnboardingRegistration> {
    return this.#transport.call('onboarding.submitPf', { form }, options);
  }

  /**
   * Starts the onboarding of a legal entity (API document, POST /v2/submerchants/onboarding/pj). As
   * `submitPf`; which fields the platform insists on is not shown, so none is required here.
   *
   * @throws ValidationError, IdempotencyConflictError, PermissionError, RateLimitError, …
   */
  submitPj(form: OnboardingPj, options?: CallOptions): Promise<OnboardingRegistration> {
    return this.#transport.call('onboarding.submitPj', { form }, options);
  }

  /**
   * The status of a registration (API document, GET /v2/submerchants/onboarding/{registrationId}/status).
   * Only `can_resubmit` is shown; other fields come as they are.
   */
  status(registrationId: string, options?: CallOptions): Promise<OnboardingStatus> {
    return this.#transport.call('onboarding.status', { params: { registrationId } }, options);
  }

  /**
   * Sends documents again after a rejection (API document, POST
   * /v2/submerchants/onboarding/{registrationId}/resend-documents). Asks the status first, and refuses
   * when `can_resubmit` is not true; `checkStatus: false` spares that call. It takes no key, so it is
   * never sent again by itself.
   *
   * @throws ValidationError when the platform does not take documents for this registration now.
   */
  resendDocuments(
    registrationId: string,
    files: ResentDocuments,
    options?: ResendOptions,
  ): Promise<OnboardingRegistration> {
    const { value = {}, issues } = readOptions(options ?? {}, readers);
    const { checkStatus = true, ...call } = value;
    const confirm = (remaining: number) => this.#confirm(registrationId, call, remaining);
    return this.#transport.call(
      'onboarding.resendDocuments',
      {
        params: { registrationId },
        form: files,
        issues: issuesAt('options', issues),
        confirm: checkStatus ? confirm : undefined,
      },
      call,
    );
  }

  /**
   * Asks the status until it is what you wait for. Each wait is half as long again as the one before, up
   * to ten times the first, and no shorter than the platform asks for; failures that may pass are waited out.
   *
   * ```ts
   * await platform.onboarding.waitFor(registration_id, { until: ['approved', 'rejected'], timeout: 600_000 });
   * ```
   *
   * The names of the statuses are not shown, except `submitted`: these are the sandbox's.
   *
   * @throws TimeoutError when the time is over, AbortedError, NotFoundError, …
   */
  waitFor(registrationId: string, options: WaitForOptions): Promise<OnboardingStatus> {
    return waitForStatus((call) => this.status(registrationId, call), options, this.#transport.timeout);
  }

  async #confirm(
    registrationId: string,
    { signal, headers, auth, maxRetries }: CallOptions,
    remaining: number,
  ): Promise<void> {
    const call = { signal, headers, auth, maxRetries, timeout: Math.max(1, remaining) };
    const { can_resubmit, status } = await this.status(registrationId, call);
    if (can_resubmit === true) return;
    const now = typeof status === 'string' ? ` (its status is ${status})` : '';
    throw new ValidationError('onboarding.resendDocuments', [
      {
        path: 'registrationId',
        message: `takes no documents now: can_resubmit is not true${now}. Documents can be sent again only after a rejection that allows it`,
      },
    ]);
  }
}
