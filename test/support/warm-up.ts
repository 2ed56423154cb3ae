import { PaymentPlatform } from 'payment-platform';
import { credentials } from './engines.js';
import { accept, formServer } from './form-server.js';
import { pix } from './payments.js';

/** Loads both engines and the contract, which takes longer than the short deadlines of some tests. */
export async function warmUp(): Promise<void> {
  const server = await formServer(accept);
  for (const own of [{}, { fetch: globalThis.fetch }]) {
    const platform = new PaymentPlatform({ baseUrl: server.url, ...credentials, ...own });
    await platform.payments.create(pix);
    platform.close();
  }
  await server.close();
}
