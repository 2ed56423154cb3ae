import type { PaymentPlatform } from '../client.js';
import type { NamedFile } from '../contract/forms.js';
import { shapes } from '../contract/generated/shapes.js';
import type { OnboardingPf, OnboardingPj, OnboardingRegistration } from '../contract/onboarding/types.js';
import { checkBody } from '../contract/read-value.js';
import { fromBase64, toBase64 } from '../validation/base64.js';
import { isBytes, isInstance } from '../validation/builtins.js';
import type { Issue } from '../validation/issue.js';
import { bindMethods } from '../validation/methods.js';
import { isRecord, objectProblem } from '../validation/record.js';
import {
  type DurableRequestOptions,
  DurableRequests,
  type EnqueueRequestOptions,
  type PayloadRead,
  type RecordRequestOptions,
  RequestEngine,
  type SettledRequest,
} from './durable-requests.js';
import type { DurableRecord } from './recorded-request.js';
import type { RequestKind } from './request-settler.js';

/** A recorded file: its bytes in base64, and how it is sent. */
interface RecordedFile {
  readonly content: string;
  readonly filename?: string | undefined;
  readonly contentType?: string | undefined;
}

interface Payload {
  readonly form: 'pf' | 'pj';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, RecordedFile>>;
}

type Onboarding = Pick<PaymentPlatform['onboarding'], 'submitPf' | 'submitPj' | 'validatePf' | 'validatePj'>;

/** Of a form's files together, in bytes. */
const maxFileBytes = 20 * 2 ** 20;

const onboardingKind = (onboarding: Onboarding): RequestKind<Payload, OnboardingRegistration> => ({
  noun: 'registration',
  scope: ':onboarding',
  canRepeat: true,
  namesRecord: false,
  // Each payload can have megabytes.
  atOnce: 4,
  effect: 'the seller can be registered',
  mayExist: 'The recorded registration may exist. Find out on the platform whether it does.',
  advice: undefined,
  send: ({ form, fields, files }, key, timeout) => {
    const restored = Object.entries(files).map(([name, file]) => [
      name,
      { ...file, content: fromBase64(file.content) },
    ]);
    const body = { ...fields, ...Object.fromEntries(restored) };
    const options = { idempotencyKey: key, timeout };
    return form === 'pf'
      ? onboarding.submitPf(body as OnboardingPf, options)
      : onboarding.submitPj(body as OnboardingPj, options);
  },
  show: ({ fields, files }) => {
    const withoutBytes = Object.entries(files).map(([name, { content, ...file }]) => [
      name,
      { ...file, size: fromBase64(content)?.length },
    ]);
    return { ...fields, ...Object.fromEntries(withoutBytes) };
  },
  findId: ({ registration_id: id }) => (typeof id === 'string' && id !== '' ? id : undefined),
  reduce: ({ registration_id, status }) => ({ registration_id, status }),
});

/**
 * Registrations of sellers that survive a crash. The SDK records the form with its documents before it sends the
 * first byte, and retries it with its key.
 */
export class DurableOnboarding<Transaction = never> extends DurableRequests<
  Transaction,
  Payload,
  OnboardingRegistration
> {
  readonly #onboarding: Onboarding;

  readonly #engine: RequestEngine<Transaction, Payload, OnboardingRegistration>;

  constructor(
    platform: { readonly onboarding: Onboarding } & Pick<PaymentPlatform, 'merchant'>,
    options: DurableRequestOptions<Transaction, OnboardingRegistration>,
  ) {
    const { onboarding } = platform ?? {};
    const merchant = isRecord(onboarding) ? platform.merchant : undefined;
    const engine = new RequestEngine(
      'createDurableOnboarding',
      onboardingKind(onboarding),
      merchant,
      options,
    );
    super(engine);
    this.#engine = engine;
    this.#onboarding = onboarding;
    bindMethods(this);
  }

  /**
   * Records and sends the form of an individual, as `onboarding.submitPf` does. A later call with the same key and
   * form returns the recorded result, or keeps trying.
   *
   * @param form the files as bytes, a Blob, or `{ content, filename, contentType }` with one of them: at most 20 MiB
   * together. A path or a stream is not recorded.
   * @throws ValidationError, which names the broken rules. Nothing was recorded.
   * @throws IdempotencyConflictError if the key was recorded with another form. Nothing was sent.
   * @throws DurableRequestError if the registration is not settled, or if the store failed. Check `record.state`.
   */
  submitPf(
    form: OnboardingPf,
    options: RecordRequestOptions,
  ): Promise<SettledRequest<OnboardingRegistration>> {
    return this.#engine.create(() => this.#read('pf', form, options), options);
  }

  /** Records and sends the form of a company. Otherwise works like `submitPf`. */
  submitPj(
    form: OnboardingPj,
    options: RecordRequestOptions,
  ): Promise<SettledRequest<OnboardingRegistration>> {
    return this.#engine.create(() => this.#read('pj', form, options), options);
  }

  /** Records the form of an individual in your database transaction, so that `run` or `settle` can send it. */
  enqueuePf(
    form: OnboardingPf,
    options: EnqueueRequestOptions<Transaction>,
  ): Promise<DurableRecord<OnboardingRegistration>> {
    return this.#engine.enqueue(() => this.#read('pf', form, options), options);
  }

  /** Records the form of a company in your database transaction. */
  enqueuePj(
    form: OnboardingPj,
    options: EnqueueRequestOptions<Transaction>,
  ): Promise<DurableRecord<OnboardingRegistration>> {
    return this.#engine.enqueue(() => this.#read('pj', form, options), options);
  }

  async #read(kind: 'pf' | 'pj', form: object, options: RecordRequestOptions): Promise<PayloadRead<Payload>> {
    const problem = objectProblem(form);
    if (problem !== undefined) return { issues: [{ path: 'form', message: problem }] };
    const issues: Issue[] = [];
    const files: Record<string, RecordedFile> = {};
    const others: Record<string, unknown> = {};
    const found: (readonly [name: string, file: ReadableFile | undefined])[] = [];
    // Everything is copied before the first await, so that the caller's later changes have no effect.
    for (const [name, value] of Object.entries(form)) {
      const file = readFile(value);
      if (file === undefined && !isFileField(kind, name)) others[name] = value;
      else if (value !== undefined) found.push([name, file]);
    }
    const { value: fields, issues: fieldIssues } = checkBody(others);
    const copy: Record<string, unknown> = { ...(fields as object) };
    let size = 0;
    for (const [name, file] of found) {
      const bytes = await file?.read().catch(() => undefined);
      size += bytes?.byteLength ?? 0;
      if (file === undefined) issues.push({ path: name, message: notBytes });
      else if (bytes === undefined) issues.push({ path: name, message: 'could not be read' });
      else if (bytes.byteLength === 0) issues.push({ path: name, message: 'is empty' });
      else if (size <= maxFileBytes) {
        files[name] = { ...file.described, content: toBase64(bytes) };
        copy[name] = { ...file.described, content: bytes };
      }
    }
    if (size > maxFileBytes)
      issues.push({
        path: 'form',
        message: `has ${size} bytes of files: at most ${maxFileBytes} can be recorded`,
      });
    issues.push(...fieldIssues);
    if (issues.length > 0) return { issues };
    const key = typeof options?.key === 'string' ? { idempotencyKey: options.key } : {};
    const validate = kind === 'pf' ? this.#onboarding.validatePf : this.#onboarding.validatePj;
    validate(copy as unknown as OnboardingPf, key);
    return { payload: { form: kind, fields: fields as Payload['fields'], files }, issues };
  }
}

const notBytes =
  'must be bytes, a Blob or { content, filename, contentType } with one of them, because a recorded form contains its files: await readFile(path) reads a path';

const isFileField = (kind: 'pf' | 'pj', name: string): boolean => {
  const { request } = shapes[kind === 'pf' ? 'onboarding.submitPf' : 'onboarding.submitPj'];
  return request?.fields[name]?.type === 'file';
};

interface ReadableFile {
  readonly described: Pick<NamedFile, 'filename' | 'contentType'>;
  read(): Promise<Uint8Array>;
}

function readFile(value: unknown): ReadableFile | undefined {
  if (isBytes(value)) return { described: {}, read: readCopy(value as Uint8Array) };
  if (isInstance(value, 'ArrayBuffer'))
    return { described: {}, read: readCopy(new Uint8Array(value as ArrayBuffer)) };
  if (isInstance(value, 'Blob') || isInstance(value, 'File')) {
    const blob = value as Blob & { readonly name?: string };
    const described = { filename: blob.name, contentType: blob.type === '' ? undefined : blob.type };
    return { described, read: async () => new Uint8Array(await blob.arrayBuffer()) };
  }
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, 'buffer') && isBytes(value.buffer)) {
    const { buffer, originalname, mimetype } = value as Readonly<Record<string, unknown>>;
    const described = { filename: textOf(originalname), contentType: textOf(mimetype) };
    return { described, read: readCopy(buffer as Uint8Array) };
  }
  if (!Object.hasOwn(value, 'content')) return undefined;
  const { content, filename, contentType } = value as Readonly<Record<string, unknown>>;
  const file = readFile(content);
  if (file === undefined) return undefined;
  const described = {
    filename: textOf(filename) ?? file.described.filename,
    contentType: textOf(contentType) ?? file.described.contentType,
  };
  return { described, read: file.read };
}

/** Bytes that are too many to be recorded are not copied. */
const readCopy = (bytes: Uint8Array) => {
  const copy = bytes.byteLength > maxFileBytes ? bytes : new Uint8Array(bytes);
  return async () => copy;
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
