// Sets up Apple Pay, from the signing request to the active certificate. openssl checks each file.
// Run it: npx tsx examples/apple-pay.ts
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());
const folder = await mkdtemp(join(tmpdir(), 'payment-platform-'));
const file = (name: string) => join(folder, name);
const openssl = async (...args: string[]) => {
  const { stdout, stderr } = await promisify(execFile)('openssl', args);
  return `${stdout}${stderr}`.trim().split('\n')[0];
};

// 1. Register the domain. The shop hosts the file from the response, and the wallet fetches it.
const domain = await platform.domains.register({ domainName: 'shop.example' });
const shop = createServer(async (request, response) => {
  const found = request.url === domain.verificationFile?.path;
  const answer = found ? platform.domains.verificationResponse(domain) : new Response(null, { status: 404 });
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
});
shop.listen(0, '127.0.0.1');
await once(shop, 'listening');
const from = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`; // the address of shop.example on this machine
await sandbox.control.domains.verify('shop.example', { from });
shop.close();
const { data: domains } = await platform.domains.list();
console.log(domains[0]?.domainName, domains[0]?.status); // shop.example verified

// 2. Get a record with its signing request. The API docs show no operation that creates one.
const record = await sandbox.control.certificates.create();
await writeFile(file('merchant.csr'), record.signingRequestPem ?? '');
console.log('openssl req -verify:', await openssl('req', '-in', file('merchant.csr'), '-verify', '-noout'));

// 3. The authority signs the request. Here it is the sandbox's test authority.
const issued = await sandbox.control.certificates.issue(await readFile(file('merchant.csr'), 'utf8'));
await writeFile(file('authority.pem'), issued.authority);
await writeFile(file('apple_pay.cer'), issued.der);
await writeFile(file('apple_pay.pem'), issued.certificate);
console.log(
  'openssl verify:',
  (await openssl('verify', '-CAfile', file('authority.pem'), file('apple_pay.pem')))?.split(' ').at(-1),
);

// 4. Send the authority's file to the platform unchanged.
const active = await platform.certificates.activate(record.id, {
  certificate: await readFile(file('apple_pay.cer')),
});
console.log(active.status, 'until', active.notAfter?.slice(0, 4));

// 5. Take a wallet payment. Revoke the certificate when you no longer trust its key.
const payment = await platform.payments.create(
  {
    externalId: 'order-1042',
    amount: 4990,
    paymentMethod: 'credit_card',
    items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 4990 }],
    wallet: { token: 'what Apple Pay gives the web page' },
  },
  { idempotencyKey: 'order-1042' },
);
console.log(payment.status, payment.card?.wallet?.type); // paid apple_pay
const revoked = await platform.certificates.revoke(record.id);
console.log(revoked.status); // revoked

await sandbox.close();
