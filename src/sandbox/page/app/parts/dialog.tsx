import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useTexts } from '../texts/language.js';
import { sayError } from './say.js';

interface DialogProps {
  /** Of the button that opens it. */
  readonly open: string;
  readonly kind?: string;
  readonly title: string;
  /** Of the button that sends it. */
  readonly send: string;
  readonly submit: (form: FormData) => Promise<unknown>;
  readonly children: ComponentChildren;
}

/** A button, and the dialog with a form that it opens. */
export function Dialog({ open, kind = 'plain', title, send, submit, children }: DialogProps) {
  const t = useTexts();
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (isOpen) element.current?.showModal();
  }, [isOpen]);
  const close = () => {
    element.current?.close();
    setOpen(false);
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    submit(new FormData(event.currentTarget as HTMLFormElement)).then(close, sayError);
  };
  return (
    <>
      <button type="button" class={kind} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {open}
      </button>
      {isOpen && (
        <dialog ref={element} aria-labelledby={heading} onClose={close}>
          <form onSubmit={onSubmit}>
            <h2 id={heading}>{title}</h2>
            {children}
            <div class="actions">
              <button type="submit" class="main">
                {send}
              </button>
              <button type="button" class="plain" onClick={close}>
                {t.cancelDialog}
              </button>
            </div>
          </form>
        </dialog>
      )}
    </>
  );
}

interface InputProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'text' | 'password' | 'number';
  readonly value?: string;
  readonly required?: boolean;
}

/** A field of a form with its label. */
export function Input({ name, label, hint, type = 'text', value, required = false }: InputProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type as 'text'}
        defaultValue={value}
        required={required}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && (
        <small id={`${id}-hint`} class="faint">
          {hint}
        </small>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

/** A list of which one is chosen. */
export function Choice({ name, label, options }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
