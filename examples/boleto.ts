// Creates a boleto and saves it as a PDF. Run it: npx tsx examples/boleto.ts
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaymentPlatform } from 'payment-platform';
import { createSandbox } from 'payment-platform/sandbox';

const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());

const payment = await platform.payments.create(
  {
    externalId: 'order-1042',
    amount: 25000,
    paymentMethod: 'boleto',
    customer: {
      name: 'Ana Souza',
      email: 'ana@example.com',
      document: { number: '12345678909', type: 'cpf' },
    },
    items: [{ title: 'Moedor', quantity: 1, unitPrice: 25000 }],
  },
  { idempotencyKey: 'order-1042' },
);
const boleto = await platform.payments.boleto(payment.id);
const path = join(await mkdtemp(join(tmpdir(), 'payment-platform-')), 'boleto.pdf');
await writeFile(path, boleto.bytes);
console.log(boleto.contentType, boleto.bytes.length, 'bytes in', path);

await sandbox.close();
