import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { showError } from '../messages.js';

interface ActionButtonProps {
  /** The page shows its error. */
  readonly run: () => Promise<unknown>;
  readonly kind?: 'main' | 'danger' | 'plain';
  /** The accessible name, if the visible label does not name the object. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Clicks are ignored while its action runs. */
export function ActionButton({ run, kind = 'plain', label, children }: ActionButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    if (isBusy) return;
    setBusy(true);
    await run().catch(showError);
    setBusy(false);
  };
  return (
    <button type="button" class={kind} aria-busy={isBusy} aria-label={label} onClick={press}>
      {children}
    </button>
  );
}
