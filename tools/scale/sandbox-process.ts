import { createSandbox } from 'payment-platform/sandbox';

/** Runs a sandbox on a port, and reports its memory on request. */
const sandbox = createSandbox({ rateLimits: false });
const server = await sandbox.listen();
process.send?.(server.clientOptions());
process.on('message', () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({
    rss,
    heapUsed,
    requests: sandbox.journal.requests.length,
    forgotten: sandbox.journal.forgotten,
  });
});
