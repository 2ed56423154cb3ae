// The old version's work, which the new version must continue. Names, keys and bodies are the same on both
// sides.
import type { PixPayment } from 'payment-platform';

/** A built version of the package. An older version can lack some of these exports. */
export interface Sdk {
  readonly main: typeof import('payment-platform');
  readonly webhooks: typeof import('payment-platform/webhooks');
  readonly sandbox: typeof import('payment-platform/sandbox');
  /** Undefined in a version without durable payments. */
  readonly durable: typeof import('payment-platform/durable') | undefined;
}

export const secret = 'whsec_0123456789abcdef';
/** Used only in these tests. */
const encryptionKey = new Uint8Array(32).fill(7);
export const accessToken = 'token-of-the-old-version';

export const body = (id: string) =>
  JSON.stringify({ event: 'transaction.paid', notificationId: id, id, status: 'paid', amount: 1990 });

/** The ids of handled deliveries. */
export const handled = ['e0b1ff3c-3d0a-4f0e-9d1e-000000000001', 'e0b1ff3c-3d0a-4f0e-9d1e-000000000002'];

export const order = (externalId: string): PixPayment => ({
  externalId,
  amount: 1990,
  paymentMethod: 'pix',
  customer: { name: 'Ana Souza', email: 'ana@example.com', document: { number: '12345678909', type: 'cpf' } },
  items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
});

/** Keys of payments that the state file's sandbox has charged without durable payments. */
export const charged = ['charged-1', 'charged-2'];

/** The states of durable payments: settled, not sent yet, and sent without a response. */
export const recorded = ['settled', 'enqueued', 'in-doubt'] as const;

export const sandboxOptions = { seed: 7, rateLimits: false } as const;

/** Creates a client of a platform that counts issued tokens, and records the tokens that requests contain. */
export function tokenClient({ main }: Sdk, store: import('payment-platform').TokenStore) {
  const seen = { tokenRequests: 0, authorizations: [] as (string | null)[] };
  const json = (value: object) =>
    new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });
  const platform = new main.PaymentPlatform({
    baseUrl: 'https://platform.example',
    clientId: 'client',
    clientSecret: 'secret-of-the-client',
    auth: 'oauth',
    maxRetries: 0,
    oauth: { store: main.encryptedTokenStore(store, encryptionKey) },
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const { url, headers } = new Request(input, init);
      if (url.includes('token')) {
        seen.tokenRequests++;
        return json({ access_token: accessToken, token_type: 'Bearer', expires_in: 315_360_000 });
      }
      seen.authorizations.push(headers.get('authorization'));
      return json({ data: [] });
    },
  });
  return { platform, seen };
}
