import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { send, useData } from '../api.js';
import { useFormats, useTexts } from '../texts/language.js';
import { ActionButton } from './action-button.js';

interface Clock {
  /** Milliseconds since 1970; undefined until the clock was read. */
  readonly now: number | undefined;
  readonly frozen: boolean;
}

const ClockContext = createContext<Clock>({ now: undefined, frozen: false });

/** The sandbox's current day, in the format of `toDateString`. Unlike the clock, it changes once a day. */
const TodayContext = createContext<string | undefined>(undefined);

export const useToday = (): string | undefined => useContext(TodayContext);

/** Updated each second. */
export const useClock = (): Clock => useContext(ClockContext);

/** The page itself advances a clock that is not frozen. */
export function ClockProvider({ children }: { children: ComponentChildren }) {
  const { data } = useData<{ now: string; frozen: boolean }>('clock', 'clock');
  const [now, setNow] = useState<number>();
  const frozen = data?.frozen ?? false;
  useEffect(() => {
    if (data === undefined) return;
    const read = performance.now();
    const start = Date.parse(data.now);
    setNow(start);
    if (frozen) return;
    const timer = setInterval(() => setNow(start + performance.now() - read), 1_000);
    return () => clearInterval(timer);
  }, [data?.now, frozen]);
  const today = now === undefined ? undefined : new Date(now).toDateString();
  return (
    <ClockContext.Provider value={{ now, frozen }}>
      <TodayContext.Provider value={today}>{children}</TodayContext.Provider>
    </ClockContext.Provider>
  );
}

export const advance = (duration: string | number) => send('clock/advance', { duration });

export function Retry({ at }: { at: string }) {
  const t = useTexts();
  const { duration } = useFormats();
  const left = useTimeUntil(at);
  return <>{t.webhooks.retryIn(left === undefined ? '…' : duration(left))}</>;
}

export function MoveTo({ at, children }: { at: string; children: string }) {
  const left = useTimeUntil(at);
  if (left === undefined) return null;
  return <ActionButton run={() => advance(left)}>{children}</ActionButton>;
}

/** In milliseconds; undefined until the clock was read. */
function useTimeUntil(at: string): number | undefined {
  const { now } = useClock();
  return now === undefined ? undefined : Math.max(Date.parse(at) - now, 0);
}
