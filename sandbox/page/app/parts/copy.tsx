import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../texts/language.js';

/** Copies a string. Browsers offer this only on this machine and over https. */
export function Copy({ text, label }: { text: string; label: string }) {
  const t = useTexts();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 2_000);
    return () => clearTimeout(timer);
  }, [isDone]);
  if (navigator.clipboard === undefined) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setDone(true),
      () => setDone(false),
    );
  return (
    <button type="button" class="quiet" aria-label={`${t.copy}: ${label}`} onClick={copy}>
      <span aria-live="polite">{isDone ? t.copied : t.copy}</span>
    </button>
  );
}
