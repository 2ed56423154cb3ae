import { Lock } from '../../state/lock.js';

/** Tries to lock each path that it receives, and reports the result. */
process.on('message', (path: string) => {
  let isTaken = true;
  try {
    new Lock(path);
  } catch {
    isTaken = false;
  }
  process.send?.(isTaken);
});
process.send?.('ready');
