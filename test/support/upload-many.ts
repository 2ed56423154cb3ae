import { PaymentPlatform, type PaymentPlatformError } from 'payment-platform';
import { pf } from './onboarding.js';

/** Uploads a file many times at once, and prints the number of calls by outcome. */
const [baseUrl = '', path = '', engine = '', count = ''] = process.argv.slice(2);
const platform = new PaymentPlatform({
  baseUrl,
  clientId: 'merchant',
  clientSecret: 'not-a-real-secret',
  timeout: 60_000,
  ...(engine === 'ky' && { fetch: globalThis.fetch }),
});
const ends: Record<string, number> = {};
const { cnhCompleta: _licence, ...person } = pf;
await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const end = await platform.onboarding.submitPf({ ...person, cnhCompleta: path, selfie: path }).then(
      () => 'done',
      ({ name, outcome }: PaymentPlatformError) => `${name} ${outcome}`,
    );
    ends[end] = (ends[end] ?? 0) + 1;
  }),
);
process.stdout.write(JSON.stringify(ends));
platform.close();
