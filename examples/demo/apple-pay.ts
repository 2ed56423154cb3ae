import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentPlatform } from 'payment-platform';
import type { Sandbox } from 'payment-platform/sandbox';
import type { Narrator } from './narrator.js';

/** Verifies a domain, activates a certificate from its signing request, and revokes the certificate. */
export async function setUpApplePay(
  platform: PaymentPlatform,
  sandbox: Sandbox,
  narrator: Narrator,
): Promise<void> {
  const domain = await platform.domains.register({ domainName: 'shop.example' });
  narrator.show('file to host', domain.verificationFile?.path);
  const shop = createServer(async (request, response) => {
    const found = request.url === domain.verificationFile?.path;
    response.writeHead(found ? 200 : 404);
    response.end(found ? await platform.domains.verificationResponse(domain).text() : '');
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  await sandbox.control.domains.verify('shop.example', {
    from: `http://127.0.0.1:${(shop.address() as AddressInfo).port}`,
  });
  shop.close();
  const { data } = await platform.domains.list();
  narrator.check('The wallet fetched the file and verified the domain.', data[0]?.status === 'verified');

  const record = await sandbox.control.certificates.create();
  narrator.show('signing request', record.signingRequestPem?.split('\n')[0]);
  const issued = await sandbox.control.certificates.issue(record.signingRequestPem ?? '');
  const authority = new X509Certificate(issued.authority);
  const certificate = new X509Certificate(issued.certificate);
  narrator.check(
    'The authority signed the certificate for the key in the request.',
    certificate.verify(authority.publicKey) && certificate.checkIssued(authority),
  );
  const active = await platform.certificates.activate(record.id, { certificate: issued.der });
  narrator.show('certificate', `${active.status}, until ${active.notAfter}`);

  const payment = await platform.payments.create(
    {
      externalId: 'order-8',
      amount: 4990,
      paymentMethod: 'credit_card',
      items: [{ title: 'Café especial 500 g', quantity: 1, unitPrice: 4990 }],
      wallet: { token: 'from Apple Pay on the web page' },
    },
    { idempotencyKey: 'order-8' },
  );
  narrator.check(
    'The wallet payment is paid.',
    payment.status === 'paid' && payment.card?.wallet?.type === 'apple_pay',
  );
  await platform.certificates.revoke(record.id);
  const { status } = await platform.certificates.revoke(record.id);
  narrator.check('The certificate is revoked. Revoking it again changes nothing.', status === 'revoked');
}
