import type {
  OnboardingPf,
  OnboardingPj,
  OnboardingRegistration,
  OnboardingStatus,
  ResentDocuments,
} from '../contract/onboarding/types.js';
import { ValidationError } from '../errors/usage.js';
import { MessageRedactor } from '../redact/message-redactor.js';
import { type CallOptions, callOptionReaders } from '../transport/prepare/call-options.js';
import type { Transport } from '../transport/transport.js';
import { prefixIssues } from '../validation/issue.js';
import { bindMethods } from '../validation/methods.js';
import { booleanReader, type OptionReaders, readOptions } from '../validation/options.js';
import { type WaitForOptions, waitForStatus } from './poll.js';

/** The options of `onboarding.resendDocuments`. */
export interface ResendOptions extends CallOptions {
  /** Whether to read the status first, as the API docs recommend. Default true; `false` saves that request. */
  checkStatus?: boolean | undefined;
}

const optionReaders: OptionReaders<ResendOptions> = { ...callOptionReaders, checkStatus: booleanReader };

/**
 * Onboarding of sellers, both individuals (pessoa física, PF) and companies (pessoa jurídica, PJ), with their
 * documents.
 */
export class Onboarding {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Starts the onboarding of an individual (API docs, POST /v2/submerchants/onboarding/pf). The platform
   * decides on the registration later. To wait for the decision, use `waitFor`.
   *
   * Pass files as paths, bytes, Blobs or streams. The formats and sizes that the platform accepts are
   * undocumented. The CPF, CEP and phone number can contain punctuation. The platform requires a UUID v4 as
   * the idempotency key, and uses this key as the sub-account's externalId. If you pass no `idempotencyKey`,
   * the SDK generates one, and `responseOf(registration).idempotencyKey` returns it. Rate limit: 10 requests
   * per minute. The API docs list `submitPj` and changes to sub-accounts under the same limit. For large
   * files, pass a longer `timeout` than the default of 30 seconds.
   *
   * @throws ValidationError, which names the broken rules and unreadable files. Nothing was sent.
   * @throws IdempotencyConflictError for a 409. If the outcome is `not-executed`, the key was used with another form.
   * @throws PermissionError for a 403, which means that onboarding is not enabled for this merchant.
   * @example
   * ```ts
   * const { registration_id } = await platform.onboarding.submitPf({
   *   ...seller, // document, fullName, birthDate, phone, the address and bankAccount
   *   documentoFrente: 'rg-front.jpg', // the path of a file
   *   documentoVerso: 'rg-back.jpg',
   *   selfie: 'selfie.jpg',
   * });
   * const { can_resubmit } = await platform.onboarding.status(registration_id);
   * ```
   */
  submitPf<Extra extends object = object>(
    form: OnboardingPf,
    options?: CallOptions,
  ): Promise<OnboardingRegistration & Extra> {
    return this.#transport.call('onboarding.submitPf', { form }, options) as Promise<
      OnboardingRegistration & Extra
    >;
  }

  /**
   * Starts the onboarding of a company (API docs, POST /v2/submerchants/onboarding/pj). Otherwise works like
   * `submitPf`. The API docs do not say which fields the platform requires, so this method requires no particular field.
   *
   * @throws ValidationError, IdempotencyConflictError, PermissionError, RateLimitError, …
   */
  submitPj<Extra extends object = object>(
    form: OnboardingPj,
    options?: CallOptions,
  ): Promise<OnboardingRegistration & Extra> {
    return this.#transport.call('onboarding.submitPj', { form }, options) as Promise<
      OnboardingRegistration & Extra
    >;
  }

  /**
   * Checks a form as `submitPf` does, without reading a file or sending anything. Use it before you record a form.
   *
   * @throws ValidationError, which names the broken rules
   */
  validatePf(form: OnboardingPf, options?: CallOptions): void {
    this.#transport.check('onboarding.submitPf', { form }, options);
  }

  /**
   * Checks a form as `submitPj` does, without reading a file or sending anything.
   *
   * @throws ValidationError, which names the broken rules
   */
  validatePj(form: OnboardingPj, options?: CallOptions): void {
    this.#transport.check('onboarding.submitPj', { form }, options);
  }

  /**
   * Reads the status of a registration (API docs, GET /v2/submerchants/onboarding/{registrationId}/status).
   * Only `can_resubmit` is documented. The SDK returns other fields unchanged.
   *
   * @param registrationId The `registration_id` (a UUID) that a submission returned.
   */
  status<Extra extends object = object>(
    registrationId: string,
    options?: CallOptions,
  ): Promise<OnboardingStatus & Extra> {
    return this.#transport.call('onboarding.status', { params: { registrationId } }, options) as Promise<
      OnboardingStatus & Extra
    >;
  }

  /**
   * Resends documents after a rejection (API docs, POST
   * /v2/submerchants/onboarding/{registrationId}/resend-documents). Reads the status first, and throws an
   * error if `can_resubmit` is not true. To skip the status request, pass `checkStatus: false`. The API
   * docs describe no idempotency key for it, so the SDK retries the call only after a failed connection, a 429 or a
   * rejected access token.
   *
   * @throws ValidationError if the platform currently does not accept documents for this registration.
   */
  resendDocuments<Extra extends object = object>(
    registrationId: string,
    files: ResentDocuments,
    options?: ResendOptions,
  ): Promise<OnboardingRegistration & Extra> {
    const { value = {}, issues } = readOptions(options ?? {}, optionReaders);
    const { checkStatus = true, ...accepted } = value;
    // The cast is safe, because `accepted` does not contain missing options.
    const call = accepted as CallOptions;
    const checkBeforeSending = (remainingMs: number) =>
      this.#checkBeforeSending(registrationId, call, remainingMs);
    return this.#transport.call(
      'onboarding.resendDocuments',
      {
        params: { registrationId },
        form: files,
        issues: prefixIssues('options', issues),
        checkBeforeSending: checkStatus ? checkBeforeSending : undefined,
      },
      call,
    ) as Promise<OnboardingRegistration & Extra>;
  }

  /**
   * Polls the status until it matches `until`. Each wait is usually 1.5 times as long as the previous wait, up to ten
   * times the first. Each wait is at least as long as the platform requires. Temporary failures do not end
   * the polling.
   *
   * ```ts
   * await platform.onboarding.waitFor(registration_id, { until: ['approved', 'rejected'], timeout: 600_000
   * });
   * ```
   *
   * Only the status name `submitted` is documented. The names `approved` and `rejected` come from the
   * sandbox.
   *
   * @throws TimeoutError or the last temporary error if the status does not match in time, AbortedError,
   * NotFoundError, …
   */
  waitFor<Extra extends object = object>(
    registrationId: string,
    options: WaitForOptions<Extra>,
  ): Promise<OnboardingStatus & Extra> {
    return waitForStatus(
      (call) => this.status<Extra>(registrationId, call),
      options,
      this.#transport.timeout,
    );
  }

  async #checkBeforeSending(
    registrationId: string,
    { signal, headers, auth, maxRetries }: CallOptions,
    remainingMs: number,
  ): Promise<void> {
    const call = { signal, headers, auth, maxRetries, timeout: Math.max(1, remainingMs) };
    const { can_resubmit, status } = await this.status(registrationId, call);
    if (can_resubmit === true) return;
    const now = typeof status === 'string' ? ` (its status is ${new MessageRedactor().show(status)})` : '';
    throw new ValidationError('onboarding.resendDocuments', [
      {
        path: 'registrationId',
        message: `does not accept documents now${now}. Send them when onboarding.status returns can_resubmit: true`,
      },
    ]);
  }
}
