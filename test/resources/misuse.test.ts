import { isPaymentPlatformError, type PaymentPlatform, type ValidationError } from 'payment-platform';
import { describe, expect, test } from 'vitest';
import { catchError, clientOn, onBothEngines } from '../support/engines.js';
import { formServer } from '../support/form-server.js';
import { bankAccount, jpeg, pdf, pf } from '../support/onboarding.js';
import { id, pix } from '../support/payments.js';
import { closedAfterEach } from '../support/resources.js';

const opens = closedAfterEach();
const { cnhCompleta: _licence, ...withoutDocument } = pf;
const long = (length: number) => 'x'.repeat(length + 1);

type Misuse = [name: string, call: (platform: Loose) => Promise<unknown>, issues: Record<string, RegExp>];

/** The client as JavaScript callers see it. */
type Loose = {
  [Namespace in keyof PaymentPlatform]: {
    // biome-ignore lint/suspicious/noExplicitAny: JavaScript callers have no types
    [method: string]: any;
  };
};

/** Lists values that are not files but could silently be sent as strings or JSON. */
const noFiles: [string, unknown, RegExp][] = [
  ['a misspelt property', { content: jpeg, fileName: 'a.jpg' }, /has fileName, which a file does not have/],
  [
    'an incomplete multer file',
    { buffer: jpeg, originalname: 'a.jpg' },
    /must be a file\. Pass .*\{ content, filename \}/,
  ],
  ['content that is a number', { content: 42 }, /has content of an unknown kind/],
  ['an empty object', {}, /must be a file/],
  ['an array of bytes', [255, 216], /must be a file/],
  ['a Response', new Response('x'), /must be a file|no value that a form can carry/],
  ['a Date', new Date(0), /must be a file/],
  ['shared memory', new SharedArrayBuffer(4), /must be a file|no value that a form can carry/],
  ['a Promise of a file', Promise.resolve(jpeg), /is a Promise. Await it first/],
];

const misuses: Misuse[] = [
  [
    'payments.create: the key in the body',
    (p) => p.payments.create({ ...pix, idempotencyKey: 'order-1' }),
    { idempotencyKey: /is an option, not a field/ },
  ],
  [
    'submitPj: the key in the form',
    (p) => p.onboarding.submitPj({ email: 'a@b', idempotencyKey: 'x' }),
    { idempotencyKey: /is an option, not a field/ },
  ],
  ...noFiles.map(
    ([name, selfie, message]): Misuse => [
      `submitPf: ${name} for a file`,
      (p) => p.onboarding.submitPf({ ...pf, selfie }),
      { selfie: message },
    ],
  ),
  [
    'submerchants.create: class instances',
    (p) => p.submerchants.create({ list: new Map([[1, 2]]), when: new Date(Number.NaN) }),
    { list: /no value that a form can carry|plain object/, when: /valid date/ },
  ],
  ['submerchants.create: no fields', (p) => p.submerchants.create({}), { '': /has no fields to send/ }],
  [
    'status: a Promise',
    (p) => p.onboarding.status(Promise.resolve(id)),
    { registrationId: /is a Promise. Await it first/ },
  ],
  [
    'status: the whole registration',
    (p) => p.onboarding.status({ registration_id: id }),
    { registrationId: /must be a string, not an object/ },
  ],
  [
    'waitFor: many problems at once',
    (p) => p.onboarding.waitFor('nope', { until: 5, interval: -1, timeout: 0, signal: {} }),
    {
      'options.until': /function/,
      'options.interval': /milliseconds/,
      'options.timeout': /milliseconds/,
      'options.signal': /AbortSignal/,
    },
  ],
  [
    'reconcile: many problems at once',
    (p) => p.payments.reconcile({}, { interval: -1, timeout: 0 }),
    {
      'options.idempotencyKey': /is required/,
      'options.interval': /milliseconds/,
      'options.timeout': /milliseconds/,
    },
  ],
  [
    'request: an unknown rate limit group',
    (p) =>
      (p as unknown as PaymentPlatform).request({
        method: 'POST',
        path: '/v1/x',
        rateLimit: 'fees' as never,
      }),
    { rateLimit: /must be one of submerchants, onboarding, vault/ },
  ],
  ['submitPf: nothing', (p) => p.onboarding.submitPf(), { '': /is required/ }],
  ['submitPf: a string', (p) => p.onboarding.submitPf('form'), { '': /must be an object, not a string/ }],
  [
    'submitPf: an empty form names every field',
    (p) => p.onboarding.submitPf({}),
    Object.fromEntries([
      ...'document fullName birthDate phone addressZipCode addressStreet addressNumber addressNeighborhood addressCity addressState bankAccount selfie'
        .split(' ')
        .map((name) => [name, /is required|must be a file/] as const),
      ['cnhCompleta', /send documentoFrente and documentoVerso, or cnhCompleta/],
    ]),
  ],
  [
    'submitPf: invalid formats',
    (p) =>
      p.onboarding.submitPf({
        ...pf,
        document: '123',
        birthDate: '28/02/1990',
        email: 'ana',
        phone: '11912345678',
        addressState: 'São Paulo',
        addressZipCode: long(10),
      }),
    {
      document: /CPF with 11 digits/,
      birthDate: /YYYY-MM-DD/,
      email: /e-mail/,
      phone: /E\.164 format with a plus sign/,
      addressState: /2 characters/,
      addressZipCode: /at most 10/,
    },
  ],
  [
    'submitPf: a date that does not exist',
    (p) => p.onboarding.submitPf({ ...pf, birthDate: '1990-02-30' }),
    { birthDate: /date/ },
  ],
  [
    'submitPf: strings that are too long',
    (p) =>
      p.onboarding.submitPf({
        ...pf,
        fullName: long(255),
        email: `a@${long(255)}`,
        addressStreet: long(255),
        addressNumber: long(20),
        addressComplement: long(255),
        addressNeighborhood: long(100),
        addressCity: long(100),
      }),
    {
      fullName: /at most 255/,
      email: /at most 255/,
      addressStreet: /at most 255/,
      addressNumber: /at most 20/,
      addressComplement: /at most 255/,
      addressNeighborhood: /at most 100/,
      addressCity: /at most 100/,
    },
  ],
  [
    'submitPf: the bank account',
    (p) =>
      p.onboarding.submitPf({
        ...pf,
        bankAccount: {
          bankAccountType: 'corrente',
          bankName: long(100),
          bankCode: '1',
          bankAgency: long(20),
          bankAccount: 12345,
          bankAccountDv: long(5),
        },
      }),
    {
      'bankAccount.bankAccountType': /one of conta_corrente, conta_poupanca/,
      'bankAccount.bankName': /at most 100/,
      'bankAccount.bankCode': /3 digits/,
      'bankAccount.bankAgency': /at most 20/,
      'bankAccount.bankAccount': /must be a string, not an integer/,
      'bankAccount.bankAccountDv': /at most 5/,
      'bankAccount.ispb': /is required/,
    },
  ],
  [
    'submitPf: the bank account as a string',
    (p) => p.onboarding.submitPf({ ...pf, bankAccount: JSON.stringify(bankAccount) }),
    { bankAccount: /must be an object, not a string/ },
  ],
  [
    'submitPf: the old name of the selfie',
    (p) => p.onboarding.submitPf({ ...pf, selfieComDocumento: jpeg }),
    { selfieComDocumento: /Use selfie/ },
  ],
  [
    'submitPf: no document',
    (p) => p.onboarding.submitPf(withoutDocument),
    { cnhCompleta: /send documentoFrente and documentoVerso, or cnhCompleta/ },
  ],
  [
    'submitPf: the front alone',
    (p) => p.onboarding.submitPf({ ...withoutDocument, documentoFrente: jpeg }),
    { documentoVerso: /required with documentoFrente/ },
  ],
  [
    'submitPf: the back alone',
    (p) => p.onboarding.submitPf({ ...withoutDocument, documentoVerso: jpeg }),
    { documentoFrente: /required with documentoVerso/ },
  ],
  [
    'submitPf: null',
    (p) => p.onboarding.submitPf({ ...pf, email: null }),
    { email: /must be a string, not null/ },
  ],
  [
    'submitPf: a number instead of a file',
    (p) => p.onboarding.submitPf({ ...pf, selfie: 42 }),
    { selfie: /must be a file/ },
  ],
  [
    'submitPf: a file instead of a string',
    (p) => p.onboarding.submitPf({ ...pf, fullName: jpeg }),
    { fullName: /must be a string/ },
  ],
  [
    'submitPf: an http URL instead of a file',
    (p) => p.onboarding.submitPf({ ...pf, selfie: new URL('https://shop.example/a.jpg') }),
    { selfie: /file: URL, or the bytes/ },
  ],
  [
    'submitPf: an invalid content type',
    (p) => p.onboarding.submitPf({ ...pf, selfie: { content: jpeg, contentType: 'image/jpeg\r\nx: y' } }),
    { selfie: /not a media type/ },
  ],
  [
    'submitPf: an invalid filename',
    (p) => p.onboarding.submitPf({ ...pf, selfie: { content: jpeg, filename: 1 } }),
    { selfie: /filename that is not a string/ },
  ],
  [
    'submitPf: no key',
    (p) => p.onboarding.submitPf(pf, { idempotencyKey: null }),
    { 'options.idempotencyKey': /is required by this operation/ },
  ],
  [
    'submitPf: a key that is not a UUID v4',
    (p) => p.onboarding.submitPf(pf, { idempotencyKey: 'seller-1' }),
    { 'options.idempotencyKey': /must be a UUID v4/ },
  ],
  [
    'submitPf: a UUID of another version',
    (p) => p.onboarding.submitPf(pf, { idempotencyKey: '6ba7b810-9dad-11d1-80b4-00c04fd430c8' }),
    { 'options.idempotencyKey': /must be a UUID v4/ },
  ],
  [
    'submitPf: a misspelt option',
    (p) => p.onboarding.submitPf(pf, { onProgress() {} }),
    { 'options.onProgress': /unknown option/ },
  ],
  [
    'submitPf: many problems at once',
    (p) =>
      p.onboarding.submitPf(
        { ...pf, document: '1', selfie: '/nowhere/selfie.jpg' },
        { idempotencyKey: 'x', timeout: -1 },
      ),
    {
      document: /CPF/,
      selfie: /ENOENT/,
      'options.idempotencyKey': /UUID v4/,
      'options.timeout': /milliseconds/,
    },
  ],
  [
    'submitPj: invalid formats',
    (p) =>
      p.onboarding.submitPj({
        cnpj: '123',
        representativeCpf: 'x',
        birthDate: '1',
        phone: '+0',
        email: 'a b@c',
        bankAccount: {},
        contratoSocial: true,
        selfieComDocumento: pdf,
      }),
    {
      cnpj: /CNPJ/,
      representativeCpf: /CPF/,
      birthDate: /date/,
      phone: /E\.164/,
      email: /e-mail/,
      'bankAccount.bankAccountType': /required/,
      'bankAccount.bankName': /required/,
      'bankAccount.bankCode': /required/,
      'bankAccount.bankAgency': /required/,
      'bankAccount.bankAccount': /required/,
      'bankAccount.bankAccountDv': /required/,
      'bankAccount.ispb': /required/,
      contratoSocial: /must be a file/,
      selfieComDocumento: /Use selfie/,
    },
  ],
  ['status: no id', (p) => p.onboarding.status(), { registrationId: /must be a string|is required/ }],
  ['status: an id that is not a UUID', (p) => p.onboarding.status('42'), { registrationId: /uuid/i }],
  ['status: a path', (p) => p.onboarding.status('../../v1/payments'), { registrationId: /must be a UUID/ }],
  ['resendDocuments: no file', (p) => p.onboarding.resendDocuments(id, {}), { '': /has no fields to send/ }],
  [
    'resendDocuments: an invalid id and an old field name',
    (p) => p.onboarding.resendDocuments('x', { selfieComDocumento: jpeg, selfie: jpeg }),
    { registrationId: /uuid/i, selfieComDocumento: /Use selfie/ },
  ],
  [
    'resendDocuments: an invalid checkStatus',
    (p) => p.onboarding.resendDocuments(id, { selfie: jpeg }, { checkStatus: 'no' }),
    { 'options.checkStatus': /true or false/ },
  ],
  [
    'resendDocuments: invalid options',
    (p) => p.onboarding.resendDocuments(id, { selfie: jpeg }, 'no'),
    { options: /must be an object/ },
  ],
  ['waitFor: no options', (p) => p.onboarding.waitFor(id), { options: /object with until/ }],
  [
    'waitFor: invalid options',
    (p) => p.onboarding.waitFor(id, { until: 1, onStatus: 1, every: 1 }),
    { 'options.until': /function/, 'options.onStatus': /function/, 'options.every': /unknown option/ },
  ],
  [
    'waitFor: invalid times and signal',
    (p) => p.onboarding.waitFor(id, { until: 'x', interval: 0, timeout: Number.NaN, signal: {} }),
    {
      'options.interval': /milliseconds/,
      'options.timeout': /milliseconds/,
      'options.signal': /AbortSignal/,
    },
  ],
  ['submerchants.create: nothing', (p) => p.submerchants.create(), { '': /is required/ }],
  [
    'submerchants.create: invalid formats',
    (p) => p.submerchants.create({ documentNumber: '1', documentType: 1, nothing: null, 'a"b': 'x' }),
    {
      documentNumber: /CPF \(11 digits\) or a CNPJ/,
      documentType: /must be a string/,
      nothing: /is null/,
      '': /name cannot be sent/,
    },
  ],
  [
    'submerchants.create: values that JSON cannot represent',
    (p) => p.submerchants.create({ rate: Number.NaN, when: 1n }),
    { rate: /finite/, when: /bigint/ },
  ],
  [
    'submerchants.update: strings that are too long',
    (p) =>
      p.submerchants.update('x', {
        url: long(255),
        phone: long(20),
        addressZipCode: long(10),
        addressStreet: long(255),
        addressStreetNumber: long(20),
        addressComplement: long(255),
        addressNeighborhood: long(100),
        addressCity: long(100),
        addressState: 'SPX',
        addressCountry: 'BRA',
      }),
    {
      internalId: /uuid/i,
      url: /at most 255/,
      phone: /at most 20/,
      addressZipCode: /at most 10/,
      addressStreet: /at most 255/,
      addressStreetNumber: /at most 20/,
      addressComplement: /at most 255/,
      addressNeighborhood: /at most 100/,
      addressCity: /at most 100/,
      addressState: /at most 2/,
      addressCountry: /at most 2/,
    },
  ],
  [
    'submerchants.update: fields that cannot be changed',
    (p) => p.submerchants.update(id, { status: 'active', bankCode: '001', bankAccount: {} }),
    { status: /cannot be changed/, bankCode: /bank data/, bankAccount: /bank data/ },
  ],
  ['withdrawals.create: nothing', (p) => p.submerchants.withdrawals.create(), { '': /is required/ }],
  [
    'withdrawals.retrieve: a string',
    (p) => p.submerchants.withdrawals.retrieve('abc'),
    { withdrawId: /must be an integer/ },
  ],
  [
    'withdrawals.retrieve: a fraction',
    (p) => p.submerchants.withdrawals.retrieve(4.2),
    { withdrawId: /must be an integer/ },
  ],
  [
    'domains.register: a URL',
    (p) => p.domains.register({ domainName: 'https://shop.example/' }),
    { domainName: /hostname only/ },
  ],
  [
    'domains.register: a port',
    (p) => p.domains.register({ domainName: 'shop.example:443' }),
    { domainName: /hostname only/ },
  ],
  [
    'domains.register: a path',
    (p) => p.domains.register({ domainName: 'shop.example/pay' }),
    { domainName: /hostname only/ },
  ],
  [
    'domains.register: a name that is too long',
    (p) => p.domains.register({ domainName: `${'a.'.repeat(130)}example` }),
    { domainName: /at most 255/ },
  ],
  ['domains.register: nothing', (p) => p.domains.register({}), { domainName: /is required/ }],
  [
    'certificates.list: an unknown type',
    (p) => p.certificates.list({ type: 'google_pay' }),
    { 'query.type': /apple_pay_payment_processing/ },
  ],
  ['certificates.list: a string', (p) => p.certificates.list('apple_pay'), { query: /must be an object/ }],
  ['certificates.activate: nothing', (p) => p.certificates.activate(id), { '': /is required/ }],
  [
    'certificates.activate: no certificate and no id',
    (p) => p.certificates.activate('x', {}),
    { id: /uuid/i, certificate: /is required/ },
  ],
  [
    'certificates.activate: a private key',
    (p) =>
      p.certificates.activate(id, {
        certificate: '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----',
      }),
    { certificate: /private key, which you must never send/ },
  ],
  [
    'certificates.activate: the CSR',
    (p) =>
      p.certificates.activate(id, {
        certificate: '-----BEGIN CERTIFICATE REQUEST-----\nMIIB\n-----END CERTIFICATE REQUEST-----',
      }),
    { certificate: /A CSR, a CRL or a PKCS#7 bundle is not a certificate/ },
  ],
  [
    'certificates.activate: a chain',
    (p) =>
      p.certificates.activate(id, {
        certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'.repeat(2),
      }),
    { certificate: /2 certificates.*not its chain/ },
  ],
  [
    'certificates.activate: an incomplete certificate',
    (p) => p.certificates.activate(id, { certificate: Uint8Array.of(0x30, 0x82, 1, 0, 1) }),
    { certificate: /must be one certificate/ },
  ],
  [
    'certificates.activate: a path',
    (p) => p.certificates.activate(id, { certificate: './apple_pay.cer' }),
    { certificate: /must be one certificate: PEM, base64 of DER, or the bytes/ },
  ],
  ['certificates.revoke: an id that is not a UUID', (p) => p.certificates.revoke('x'), { id: /uuid/i }],
  [
    'webhooks.create: the URL and the secret',
    (p) => p.webhooks.create({ webhook_url: 'http://shop.example', events: 'all', hmac_secret: 'short' }),
    { webhook_url: /HTTPS/, events: /must be an array/, hmac_secret: /at least 16/ },
  ],
  [
    'webhooks.update: the URL and the secret',
    (p) => p.webhooks.update('x', { webhook_url: 'ftp://shop.example', hmac_secret: long(256), events: [1] }),
    { id: /uuid/i, webhook_url: /HTTPS/, hmac_secret: /at most 256/, 'events.0': /string/ },
  ],
  [
    'webhooks.update: an empty secret does not clear it',
    (p) => p.webhooks.update(id, { hmac_secret: '' }),
    { hmac_secret: /at least 16/ },
  ],
  ['vault.tokenize: nothing', (p) => p.vault.tokenize(), { '': /is required/ }],
  [
    'request: a form and a body',
    (p) =>
      (p as unknown as PaymentPlatform).request({ method: 'POST', path: '/v1/x', body: {}, multipart: {} }),
    { multipart: /Pass one of them/ },
  ],
  [
    'request: a form with GET',
    (p) => (p as unknown as PaymentPlatform).request({ method: 'GET', path: '/v1/x', multipart: {} }),
    { multipart: /not sent with GET/ },
  ],
];

onBothEngines((engine) => {
  test.each(misuses)(
    'one error lists every problem of a call, and nothing is sent: %s',
    async (name, call, expected) => {
      const server = opens(await formServer());
      const platform = opens(clientOn(engine, server.url));
      const error = await catchError<ValidationError>((async () => call(platform as unknown as Loose))());
      expect(error.name).toBe('ValidationError');
      // The call before the reconciliation could have been executed.
      const outcome = name.startsWith('reconcile') ? 'unknown' : 'not-executed';
      expect(isPaymentPlatformError(error) && error.outcome).toBe(outcome);
      expect(error.issues.map(({ path }) => path).sort()).toEqual(Object.keys(expected).sort());
      for (const { path, message } of error.issues) expect(message).toMatch(expected[path] as RegExp);
      expect(error.message).not.toContain('canary');
      expect(server.received).toHaveLength(0);
    },
  );
});

describe('domains.verificationResponse', () => {
  const platform = clientOn('ky', 'https://platform.example');

  test('returns the file as plain text', async () => {
    const response = platform.domains.verificationResponse({
      verificationFile: { path: '/.well-known/x', content: 'proof\n' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toBe('proof\n');
  });

  test.each([[undefined], [{}], [{ verificationFile: {} }]])(
    'throws for %j, which contains no verification file',
    (domain) => {
      expect(() => platform.domains.verificationResponse(domain as never)).toThrow(
        /domains\.register, which contains it/,
      );
    },
  );
});
