import { Redis } from 'ioredis';
import { encryptedTokenStore, PaymentPlatform, redisTokenStore } from 'payment-platform';
import { createClient } from 'redis';

/** Runs one process of a fleet, which makes ten calls at once with the token that all processes share. */
const [baseUrl = '', redisUrl = '', library = '', prefix = ''] = process.argv.slice(2);
const client = library === 'ioredis' ? new Redis(redisUrl) : await createClient({ url: redisUrl }).connect();
const store = encryptedTokenStore(redisTokenStore(client, { prefix }), new Uint8Array(32).fill(7));
const options = { clientId: 'merchant', clientSecret: 'not-a-real-secret', auth: 'oauth' as const };
// Connects and loads modules first. Otherwise this would use up the store's half second.
await store.get('none');
const nowhere = new PaymentPlatform({ ...options, baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
await nowhere.domains.list().catch(() => undefined);
const platform = new PaymentPlatform({ ...options, baseUrl, oauth: { store } });
await Promise.all(Array.from({ length: 10 }, () => platform.domains.list()));
platform.close();
if (client instanceof Redis) client.disconnect();
else client.destroy();
