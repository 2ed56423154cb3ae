import { pay, sandboxForTest } from '../support.js';

/** Creates a payment, and gets its boleto. */
export async function printBoleto(body: object) {
  const sandbox = sandboxForTest();
  const { body: payment } = await pay(sandbox, body);
  const { baseUrl, clientId, clientSecret, fetch } = sandbox.clientOptions();
  const response = await fetch(`${baseUrl}/v1/payments/${payment.id}/boleto`, {
    headers: { 'client-id': clientId, 'client-secret': clientSecret },
  });
  return { payment, response, bytes: new Uint8Array(await response.arrayBuffer()) };
}
