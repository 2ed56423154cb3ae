import { randomUUID } from 'node:crypto';
import type { Sandbox } from '../control/sandbox-interface.js';
import { testCards } from '../scenarios/test-cards.js';

const order = {
  amount: 1_990,
  customer: {
    name: 'Maria Silva',
    email: 'maria@example.com',
    document: { number: '12345678909', type: 'cpf' },
  },
  items: [{ title: 'Livro', quantity: 1, unitPrice: 1_990 }],
};

const card = {
  number: testCards.approved,
  cvv: '123',
  holderName: 'MARIA SILVA',
  expirationMonth: 12,
  expirationYear: 2_035,
};

/**
 * Requests a payment as a merchant does, so that everything follows from it that follows from a real one.
 *
 * @throws Error if it is refused, or a fault hits it.
 */
export async function requestSample(
  sandbox: Sandbox,
  paymentMethod: 'pix' | 'boleto' | 'credit_card',
): Promise<unknown> {
  const { baseUrl, clientId, clientSecret, fetch } = sandbox.clientOptions();
  const request = fetch(`${baseUrl}/v1/payments`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'client-id': clientId,
      'client-secret': clientSecret,
      'x-idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ ...order, paymentMethod, ...(paymentMethod === 'credit_card' && { card }) }),
  });
  const response = await request.catch(() => undefined);
  if (response === undefined) throw new Error('A fault broke the connection of the request.');
  const text = await response.text().catch(() => '');
  const answer = response.ok ? parsed(text) : undefined;
  if (answer !== undefined) return answer;
  throw new Error(
    `The request for the payment was answered ${response.status}, because of a fault or a refusal.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
