import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { showError } from './message.js';

interface ActionButtonProps {
  /** What the button does. A failure is told to the visitor. */
  readonly run: () => Promise<unknown>;
  readonly kind?: 'main' | 'danger' | 'plain';
  /** What it acts on, where the text does not say it. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** A button that acts on the sandbox, once at a time. */
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
