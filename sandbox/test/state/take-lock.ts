import { Lock } from '../../state/lock.js';

/** Tries to lock each path that it is sent, and says whether it could. */
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
