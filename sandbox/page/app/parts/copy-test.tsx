import { useState } from 'preact/hooks';
import { readText } from '../api.js';
import { showMessage } from '../messages.js';
import { withQuery } from '../route.js';
import { useTexts } from '../texts/language.js';
import { ActionButton } from './action-button.js';
import { copyWhenResolved } from './copy.js';

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
