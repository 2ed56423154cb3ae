import { Lock } from '../../state/lock.js';

/** Tries to lock each path that it receives, and reports the result. */
process.on('message', (path: string) => {
  let isAcquired = true;
  try {
    new Lock(path);
  } catch {
    isAcquired = false;
  }
  process.send?.(isAcquired);
});
process.send?.('ready');
