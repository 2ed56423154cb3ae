// Platforms that no row can test, each with the closest row, so that nobody assumes they are tested.
const places = [
  {
    environment: 'Jest',
    use: 'environment jsdom',
    unavailable: 'not supported: it imitates a browser, and has no TextDecoder and no fetch',
  },
  {
    environment: 'AWS Lambda',
    use: 'the service',
    unavailable: 'needs an account; the bundles are loaded as it does',
  },
  {
    environment: 'Cloudflare Workers',
    use: 'the network',
    unavailable: 'needs an account; workerd is its runtime',
  },
  {
    environment: 'Vercel',
    use: 'the edge network',
    unavailable: 'needs an account; `next start` has its edge runtime',
  },
  ...['win32', 'darwin', 'linux']
    .filter((platform) => platform !== process.platform)
    .map((platform) => ({
      environment: 'Node',
      use: `on ${platform}`,
      unavailable: 'needs another machine',
    })),
];

export const elsewhere = () => places.map((place) => ({ version: 'any', ...place }));
