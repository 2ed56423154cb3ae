import { createHash, X509Certificate } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { activateCertificateOperation } from '../../../src/contract/certificates/operations.js';
import { findSchemas } from '../../../src/contract/schemas.js';
import { findContractIssues } from '../../arguments/contract-issues.js';
import { createWalletControl } from '../../control/wallet-control.js';
import { findBehaviour } from '../../defaults/all.js';
import { walletHandlers } from '../../http/handlers/wallet-handlers.js';
import { NotFound } from '../../http/responses.js';
import { Random } from '../../random/random.js';
import { State } from '../../state/state.js';
import { Clock } from '../../time/clock.js';
import { CertificateAuthority } from '../../wallet/certificate-authority.js';
import { Certificates } from '../../wallet/certificates.js';
import { Domains } from '../../wallet/domains.js';
import { call, sandboxForTest, startOfYear } from '../support.js';

/** Creates two merchants with one authority, and the handlers of the first merchant. */
function createMerchants(time: string = startOfYear) {
  const clock = new Clock(Date.parse(time));
  const authority = new CertificateAuthority(clock, new Random(1, 'authority'), new State(1));
  const walletFor = (purpose: string) => ({
    behaviour: findBehaviour(),
    domains: new Domains(
      clock,
      new Random(1, `${purpose} domains`),
      new AbortController().signal,
      new State(1),
    ),
    certificates: new Certificates(clock, new Random(1, purpose), authority, new State(1)),
  });
  const first = walletFor('first');
  const second = walletFor('second');
  const control = createWalletControl({
    certificateAuthority: authority,
    wallets: () => [first, second],
    findWallet: (clientId) => ({ first, second })[clientId ?? 'first'],
  });
  const handlers = walletHandlers(() => first);
  /** Activates a certificate as the router does. Returns the request's issues, or the response. */
  const activate = async (id: string, certificate: unknown) => {
    const call = { body: { certificate }, params: { id }, query: {} };
    const handler = handlers['certificates.activate'];
    const issues = [...findContractIssues(activateCertificateOperation, call.body), ...handler.issues(call)];
    return issues.length > 0 ? { issues } : readResponse(handler.run(call));
  };
  const revoke = (id: string) =>
    readResponse(handlers['certificates.revoke'].run({ body: undefined, params: { id }, query: {} }));
  return { clock, authority, first, second, control, handlers, activate, revoke };
}

const readResponse = async (response: Response) => ({ status: response.status, body: await response.json() });

/** Creates a record, and the certificate that was issued for it. */
async function issuedIn({ control }: ReturnType<typeof createMerchants>) {
  const record = await control.certificates.create();
  return { record, ...(await control.certificates.issue(record.signingRequestPem ?? '')) };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('a new certificate record', () => {
  test('has the status issued, a request, its key’s fingerprint and the identifier’s hash', async () => {
    const { authority, control } = createMerchants();
    const record = await control.certificates.create({ merchantIdentifier: 'merchant.shop' });
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
      type: 'apple_pay_payment_processing',
      status: 'issued',
      signingRequestPem: expect.stringMatching(/^-----BEGIN CERTIFICATE REQUEST-----\n/),
      publicKeyFingerprint: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
      metadata: { merchantIdHash: createHash('sha256').update('merchant.shop').digest('hex') },
      createdAt: startOfYear,
    });
    const { certificate } = await authority.issue(record.signingRequestPem ?? '');
    const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
    expect(record.publicKeyFingerprint).toBe(createHash('sha256').update(spki).digest('base64'));
  });

  test('has a new key pair in every run, but the same id for the same seed', async () => {
    const [one, other] = [createMerchants(), createMerchants()];
    const records = [await one.control.certificates.create(), await other.control.certificates.create()];
    expect(records[0]?.id).toBe(records[1]?.id);
    expect(records[0]?.publicKeyFingerprint).not.toBe(records[1]?.publicKeyFingerprint);
  });

  test('belongs to the merchant that it was created for', async () => {
    const { first, second, control } = createMerchants();
    const own = await control.certificates.create();
    const others = await control.certificates.create({ clientId: 'second' });
    expect(first.certificates.list()).toEqual([own]);
    expect(second.certificates.list()).toEqual([others]);
    expect(control.certificates.list()).toEqual([own, others]);
    expect(control.certificates.retrieve(others.id)).toEqual(others);
    await expect(control.certificates.create({ clientId: 'unknown' })).rejects.toThrow("client id 'unknown'");
    expect(() => control.certificates.retrieve('x')).toThrow("There is no certificate 'x'");
  });

  test.each([
    [{ type: 'google_pay' }, "type must be 'apple_pay_payment_processing'"],
    [{ merchantIdentifier: '' }, 'merchantIdentifier must have 1 to 64'],
    [{ merchantIdentifier: 'a'.repeat(65) }, 'merchantIdentifier must have 1 to 64'],
    [{ merchantIdentifier: 'merchant shop' }, 'merchantIdentifier must have 1 to 64'],
    [{ merchantIdentifier: 12 }, 'merchantIdentifier must have 1 to 64'],
    [{ clientId: 1 }, 'clientId must be a string'],
    [{ merchantId: 'x' }, 'merchantId is an unknown option. Known: type, merchantIdentifier, clientId'],
  ])('is rejected with the options %j', async (request, message) => {
    const { first, control } = createMerchants();
    await expect(control.certificates.create(request as object)).rejects.toThrow(TypeError);
    await expect(control.certificates.create(request as object)).rejects.toThrow(
      `control.certificates.create: ${message}`,
    );
    expect(first.certificates.list()).toEqual([]);
  });

  test('does not print its private key', async () => {
    const { first, control } = createMerchants();
    await control.certificates.create();
    const shown = inspect([first, control], { depth: 10, showHidden: true }) + JSON.stringify(first);
    expect(shown).not.toMatch(/PRIVATE|KeyObject/);
  });

  test('is returned as a copy', async () => {
    const { control } = createMerchants();
    const record = await control.certificates.create();
    if (record.metadata) record.metadata.merchantIdHash = 'changed';
    record.status = 'active';
    const kept = control.certificates.retrieve(record.id);
    expect([kept.status, kept.metadata?.merchantIdHash]).not.toContain('changed');
    expect(kept.status).toBe('issued');
  });
});

describe('the activation of a certificate', () => {
  test('accepts PEM and sets the dates of the record', async () => {
    const sandbox = createMerchants();
    const { record, certificate } = await issuedIn(sandbox);
    await sandbox.clock.advance('2h');
    const result = await sandbox.activate(record.id, certificate);
    expect(result).toEqual({
      status: 200,
      body: {
        ...record,
        status: 'active',
        notBefore: startOfYear,
        notAfter: '2028-01-31T00:00:00.000Z',
        activatedAt: '2026-01-01T02:00:00.000Z',
      },
    });
    expect(sandbox.first.certificates.list()).toEqual(['body' in result && result.body]);
  });

  test.each<[string, (issued: { certificate: string; der: Uint8Array }) => string]>([
    ['base64 of the DER', ({ der }) => base64(der)],
    ['base64 in lines', ({ der }) => base64(der).replace(/.{64}/g, '$&\r\n')],
    ['PEM below other text', ({ certificate }) => `subject=CN = merchant\n${certificate}`],
  ])('accepts %s', async (_, form) => {
    const sandbox = createMerchants();
    const { record, ...issued } = await issuedIn(sandbox);
    expect(await sandbox.activate(record.id, form(issued))).toMatchObject({ body: { status: 'active' } });
  });

  test.each<[unknown, string]>([
    ['hello', 'must be an X.509 certificate'],
    ['not base64!', 'must be an X.509 certificate'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'must be an X.509 certificate'],
    ['', 'must not be empty'],
    [undefined, 'is required'],
    [7, 'must be a string'],
  ])('rejects %j', async (text, message) => {
    const sandbox = createMerchants();
    const { id } = await sandbox.control.certificates.create();
    const result = await sandbox.activate(id, text);
    expect(result).toHaveProperty('issues.0', {
      path: 'certificate',
      message: expect.stringContaining(message),
    });
    expect(sandbox.control.certificates.retrieve(id).status).toBe('issued');
  });

  test('rejects the signing request itself', async () => {
    const sandbox = createMerchants();
    const { id, signingRequestPem } = await sandbox.control.certificates.create();
    expect(await sandbox.activate(id, signingRequestPem)).toHaveProperty('issues.0.path', 'certificate');
  });

  test('rejects a certificate that was issued for another record, because its key differs', async () => {
    const sandbox = createMerchants();
    const [one, other] = [await issuedIn(sandbox), await issuedIn(sandbox)];
    expect(await sandbox.activate(one.record.id, other.certificate)).toEqual({
      issues: [
        { path: 'certificate', message: "carries another public key than this record's signing request" },
      ],
    });
    expect(sandbox.control.certificates.retrieve(one.record.id)).toEqual(one.record);
  });

  test('rejects a certificate for the right key from another authority', async () => {
    const [sandbox, elsewhere] = [createMerchants(), createMerchants()];
    const { record } = await issuedIn(sandbox);
    const { certificate } = await elsewhere.control.certificates.issue(record.signingRequestPem ?? '');
    expect(await sandbox.activate(record.id, certificate)).toEqual({
      issues: [{ path: 'certificate', message: "was not issued by the sandbox's authority" }],
    });
  });

  test('lists all three problems of a certificate from another sandbox', async () => {
    const sandbox = createMerchants();
    const { record } = await issuedIn(sandbox);
    const elsewhere = await issuedIn(createMerchants('2027-01-01T00:00:00Z'));
    const result = await sandbox.activate(record.id, elsewhere.authority);
    expect('issues' in result && result.issues.map(({ message }) => message)).toEqual([
      "carries another public key than this record's signing request",
      "was not issued by the sandbox's authority",
      'is not valid before 2027-01-01T00:00:00.000Z',
    ]);
  });

  test('accepts a certificate on its last day, and rejects it once it has expired', async () => {
    const [inTime, late] = [createMerchants(), createMerchants()];
    const [one, other] = [await issuedIn(inTime), await issuedIn(late)];
    await inTime.clock.advance('760d');
    expect(await inTime.activate(one.record.id, one.certificate)).toMatchObject({ status: 200 });
    await late.clock.advance('760d');
    await late.clock.advance('1s');
    expect(await late.activate(other.record.id, other.certificate)).toEqual({
      issues: [{ path: 'certificate', message: 'expired at 2028-01-31T00:00:00.000Z' }],
    });
  });

  test('accepts the active certificate again without a change, and rejects a different one', async () => {
    const sandbox = createMerchants();
    const { record, certificate, der } = await issuedIn(sandbox);
    const first = await sandbox.activate(record.id, certificate);
    await sandbox.clock.advance('1d');
    expect(await sandbox.activate(record.id, base64(der))).toEqual(first);
    const renewed = await sandbox.control.certificates.issue(record.signingRequestPem ?? '');
    expect(await sandbox.activate(record.id, renewed.certificate)).toEqual({
      issues: [{ path: 'certificate', message: 'is not the certificate that is already active' }],
    });
  });

  test('does not reactivate a revoked record', async () => {
    const sandbox = createMerchants();
    const { record, certificate } = await issuedIn(sandbox);
    const revoked = await sandbox.revoke(record.id);
    expect(await sandbox.activate(record.id, certificate)).toEqual({
      issues: [{ path: 'id', message: expect.stringContaining('revoked') }],
    });
    expect(await sandbox.revoke(record.id)).toEqual(revoked);
  });
});

describe('the revocation of a certificate', () => {
  test.each(['issued', 'active'])(
    'returns its first result again if a record that was %s is revoked twice',
    async (state) => {
      const sandbox = createMerchants();
      const { record, certificate } = await issuedIn(sandbox);
      if (state === 'active') await sandbox.activate(record.id, certificate);
      const before = sandbox.control.certificates.retrieve(record.id);
      expect(before.status).toBe(state);
      const first = await sandbox.revoke(record.id);
      expect(first).toEqual({ status: 200, body: { ...before, status: 'revoked', revokedAt: startOfYear } });
      await sandbox.clock.advance('1d');
      expect(await sandbox.revoke(record.id)).toEqual(first);
    },
  );
});

test.each(['unknown', 'another merchant’s'])(
  'a certificate that is %s cannot be activated or revoked',
  async (whose) => {
    const sandbox = createMerchants();
    const { record, certificate } = await issuedIn(sandbox);
    const others = await sandbox.control.certificates.create({ clientId: 'second' });
    const id = whose === 'unknown' ? record.id.replace(/^./, 'f') : others.id;
    await expect(async () => sandbox.activate(id, certificate)).rejects.toThrow(NotFound);
    await expect(async () => sandbox.revoke(id)).rejects.toThrow(NotFound);
    expect(sandbox.control.certificates.retrieve(others.id)).toEqual(others);
  },
);

test('each of two merchants can create, activate and revoke a certificate', async () => {
  const sandbox = sandboxForTest();
  const other = sandbox.addMerchant();
  const record = await sandbox.control.certificates.create();
  const { certificate } = await sandbox.control.certificates.issue(record.signingRequestPem ?? '');
  const path = `/v1/certificates/${record.id}`;
  expect((await call(other, `${path}/activate`, { body: { certificate } })).status).toBe(404);
  expect((await call(other, `${path}/revoke`, { method: 'POST' })).status).toBe(404);
  expect(
    (await call(sandbox, `${path}/activate`, { body: { certificate: 'x' } })).body.error?.issues,
  ).toEqual([{ path: 'certificate', message: expect.stringContaining('X.509') }]);
  const activated = await call(sandbox, `${path}/activate`, { body: { certificate } });
  expect([activated.status, activated.body.status]).toEqual([200, 'active']);
  expect((await call(sandbox, '/v1/certificates?type=apple_pay_payment_processing')).body.data).toEqual([
    activated.body,
  ]);
  expect((await call(sandbox, '/v1/certificates?type=google_pay')).status).toBe(400);
  expect((await call(other, '/v1/certificates')).body).toEqual({ data: [] });
  const revoked = await call(sandbox, `${path}/revoke`, { method: 'POST' });
  expect(revoked.body).toEqual({ ...activated.body, status: 'revoked', revokedAt: startOfYear });
});

describe('the list of certificates', () => {
  const asking = (query: Record<string, string>) => ({ body: undefined, params: {}, query });

  test('contains the records of one merchant in the order of creation', async () => {
    const sandbox = createMerchants();
    const records = [
      await sandbox.control.certificates.create(),
      await sandbox.control.certificates.create(),
    ];
    await sandbox.control.certificates.create({ clientId: 'second' });
    const { run } = sandbox.handlers['certificates.list'];
    for (const query of [{}, { type: 'apple_pay_payment_processing' }]) {
      const body = await run(asking(query)).json();
      expect(body).toEqual({ data: records });
      expect(findSchemas('certificates.list').response?.safeParse(body).error).toBe(undefined);
    }
    expect(sandbox.first.certificates.list('another')).toEqual([]);
  });
});
