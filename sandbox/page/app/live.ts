import { useEffect, useState } from 'preact/hooks';
import type { ChangedRecords } from '../../state/changes.js';

export type { ChangedRecords };

/** `gone`: the sandbox does not respond, and the browser retries. */
export type Connection = 'connecting' | 'live' | 'gone';

type Listener = (kinds: ReadonlySet<string> | 'all') => void;

const changeListeners = new Set<Listener>();
const stateListeners = new Set<(state: Connection) => void>();
let state: Connection = 'connecting';

export function announce(kinds: ReadonlySet<string> | 'all'): void {
  for (const listener of changeListeners) listener(kinds);
}

export function onChange(listener: Listener): () => void {
  changeListeners.add(listener);
  return () => changeListeners.delete(listener);
}

function setConnection(next: Connection): void {
  // Any record can have changed while the connection was lost.
  if (next === 'live' && state === 'gone') announce('all');
  state = next;
  for (const listener of stateListeners) listener(state);
}

export function connect(): void {
  const source = new EventSource('events');
  source.addEventListener('open', () => setConnection('live'));
  source.addEventListener('change', ({ data }: MessageEvent<string>) =>
    announce(new Set((JSON.parse(data) as { kinds: string[] }).kinds)),
  );
  source.addEventListener('error', () => {
    setConnection('gone');
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(connect, 1_000);
  });
}

export function useConnection(): Connection {
  const [current, setCurrent] = useState(state);
  useEffect(() => {
    setCurrent(state);
    stateListeners.add(setCurrent);
    return () => void stateListeners.delete(setCurrent);
  }, []);
  return current;
}
