import { useEffect, useState } from 'preact/hooks';
import { showError } from '../messages.js';
import { useTexts } from '../texts/language.js';

/**
 * The clipboard gets the promise immediately, because some browsers forget the click while the string is
 * read.
 */
export async function copyWhenResolved(text: Promise<string>): Promise<void> {
  const blob = text.then((read) => new Blob([read], { type: 'text/plain' }));
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]).catch(async (error) => {
    await text;
    throw error;
  });
}

interface CopyProps {
  /** A function is called on each click. */
  readonly text: string | (() => Promise<string>);
  readonly label: string;
}

/** Browsers offer this only on localhost and over https. */
export function Copy({ text, label }: CopyProps) {
  const t = useTexts();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 2_000);
    return () => clearTimeout(timer);
  }, [isDone]);
  if (navigator.clipboard === undefined) return null;
  const copy = () =>
    (typeof text === 'string' ? navigator.clipboard.writeText(text) : copyWhenResolved(text())).then(
      () => setDone(true),
      (error) => {
        setDone(false);
        // A DOMException means that the browser denied access to the clipboard. The button keeps its label.
        if (!(error instanceof DOMException)) showError(error);
      },
    );
  return (
    <button type="button" class="quiet" aria-label={`${t.copy}: ${label}`} onClick={copy}>
      <span aria-live="polite">{isDone ? t.copied : t.copy}</span>
    </button>
  );
}
