// Charges raw card data, then the same card with an upsell token, then a vault card. Run it: npx tsx examples/cards.ts
import { PaymentPlatform } from 'payment-platform';
import { createSandbox, testCards, testCardTokens } from 'payment-platform/sandbox';

const sandbox = createSandbox();
const platform = new PaymentPlatform(sandbox.clientOptions());
const items = [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }];

const sale = await platform.payments.create(
  {
    externalId: 'order-1042',
    amount: 1990,
    paymentMethod: 'credit_card',
    items,
    customer: {
      name: 'Ana Souza',
      email: 'ana@example.com',
      document: { number: '12345678909', type: 'cpf' },
    },
    card: {
      number: testCards.approved,
      cvv: '123',
      holderName: 'ANA SOUZA',
      expirationMonth: 12,
      expirationYear: 2030,
      installments: 3,
    },
  },
  { idempotencyKey: 'order-1042' },
);
console.log(sale.status, sale.card?.brand, sale.card?.last4); // paid visa 1111

// The platform does not always issue an upsell token. It is valid for 15 minutes. Without one, ask for the card again.
if (sale.upsell !== undefined) {
  const upsell = await platform.payments.create(
    {
      externalId: 'order-1042-extra',
      amount: 990,
      paymentMethod: 'credit_card',
      items: [{ title: 'Filtros', quantity: 1, unitPrice: 990 }],
      card: { upsellToken: sale.upsell.token },
    },
    { idempotencyKey: 'order-1042-extra' },
  );
  console.log(upsell.status); // paid
}

const vaulted = await platform.payments.create(
  {
    externalId: 'order-1043',
    amount: 1990,
    paymentMethod: 'credit_card',
    items,
    card: { cardTokenId: testCardTokens.refused },
  },
  { idempotencyKey: 'order-1043' },
);
console.log(vaulted.status, vaulted.refusalReason); // a declined card is a result, not an exception

await sandbox.close();
