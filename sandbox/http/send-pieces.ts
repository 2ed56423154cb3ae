import type { ServerResponse } from 'node:http';
import { waitRealTime } from '../time/real-time.js';
import { type PiecewiseResponse, pause } from './apply-fault.js';

/** Real milliseconds for the caller to read the first half. A reset discards unread bytes. */
const beforeReset = 50;

export async function sendPieces(
  { response, pieces, end }: PiecewiseResponse,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  outgoing.once('close', () => left.abort());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  try {
    for (const { bytes, after } of pieces) {
      if (after > 0) await pause(after, left.signal);
      if (bytes.length > 0) await written(outgoing, bytes);
    }
    if (end === 'reset') await waitRealTime(beforeReset);
  } catch {
    // The caller closed the connection, or the server was closed.
    return;
  }
  if (end === 'complete') outgoing.end();
  if (end === 'reset') outgoing.socket?.resetAndDestroy();
  if (end === 'close') outgoing.destroy();
}

/** A reset must not overtake the bytes. */
const written = (outgoing: ServerResponse, bytes: Uint8Array) =>
  new Promise<void>((resolve, reject) => {
    outgoing.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
