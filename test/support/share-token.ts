import { Redis } from 'ioredis';
import { encryptedTokenStore, PaymentPlatform, redisTokenStore } from 'payment-platform';
import { createClient } from 'redis';

/** One process of a fleet: makes ten calls at once with the token that all of them share. */
const [baseUrl = '', redisUrl = '', library = '', prefix = ''] = process.argv.slice(2);
const client = library === 'ioredis' ? new Redis(redisUrl) : await createClient({ url: redisUrl }).connect();
const store = encryptedTokenStore(redisTokenStore(client, { prefix }), new Uint8Array(32).fill(7));
// A connection that is still being made takes of the half second that a store has.
await store.get('none');
const platform = new PaymentPlatform({
  baseUrl,
  clientId: 'merchant',
  clientSecret: 'not-a-real-secret',
  auth: 'oauth',
  oauth: { store },
});
await Promise.all(Array.from({ length: 10 }, () => platform.domains.list()));
platform.close();
if (client instanceof Redis) client.disconnect();
else client.destroy();
