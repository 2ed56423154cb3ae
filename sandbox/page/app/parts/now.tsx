import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { send, useData } from '../api.js';
import { useFormats, useTexts } from '../texts/language.js';
import { ActionButton } from './action-button.js';

interface Clock {
  /** Milliseconds since 1970; undefined until it was read. */
  readonly now: number | undefined;
  readonly frozen: boolean;
}

const ClockContext = createContext<Clock>({ now: undefined, frozen: false });

/** The sandbox's time, each second. */
export const useClock = (): Clock => useContext(ClockContext);

/** Reads the clock once for the whole page. The time of a clock that is not frozen is counted on here. */
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
  return <ClockContext.Provider value={{ now, frozen }}>{children}</ClockContext.Provider>;
}

export const advance = (duration: string | number) => send('clock/advance', { duration });

/** How long it is until the next attempt of a delivery, with the button that moves the clock there. */
export function NextAttempt({ at }: { at: string }) {
  const t = useTexts();
  const { now } = useClock();
  const { duration } = useFormats();
  if (now === undefined) return null;
  const left = Math.max(Date.parse(at) - now, 0);
  return (
    <p class="next">
      <span class="number">{t.webhooks.nextAttempt(duration(left))}</span>
      <ActionButton run={() => advance(left)}>{t.clock.moveThere}</ActionButton>
    </p>
  );
}

/** The same as a few words, for a row. */
export function Countdown({ at }: { at: string }) {
  const { now } = useClock();
  const { duration } = useFormats();
  return <span class="number">{now === undefined ? '…' : duration(Math.max(Date.parse(at) - now, 0))}</span>;
}
