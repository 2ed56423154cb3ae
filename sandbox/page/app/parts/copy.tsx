import { useEffect, useState } from 'preact/hooks';
import { readText } from '../api.js';
import { showError, showMessage } from '../messages.js';
import { withQuery } from '../route.js';
import { useTexts } from '../texts/language.js';
import { ActionButton } from './action-button.js';

/**
 * The clipboard gets the promise immediately, because some browsers forget the click while the string is
 * read.
 */
async function copyWhenResolved(text: Promise<string>): Promise<void> {
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

const runners = { vitest: 'Vitest', jest: 'Jest' } as const;

/** Browsers offer this only on localhost and over https. */
export function CopyTest({ payment }: { payment?: string }) {
  const t = useTexts();
  const [runner, setRunner] = useState('vitest');
  if (navigator.clipboard === undefined) return null;
  const copy = async () => {
    await copyWhenResolved(readText(withQuery('test', { payment, runner })));
    showMessage(t.test.copied);
  };
  return (
    <span class="value copy-test">
      <ActionButton run={copy}>{payment === undefined ? t.test.run : t.test.payment}</ActionButton>
      <select
        aria-label={t.test.runner}
        value={runner}
        onChange={({ currentTarget }) => setRunner(currentTarget.value)}
      >
        {Object.entries(runners).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
