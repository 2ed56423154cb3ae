import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { showError } from '../messages.js';
import { useTexts } from '../texts/language.js';

interface DialogProps {
  /** The label of the button that opens the dialog. */
  readonly open: string;
  readonly kind?: string;
  readonly title: string;
  /** The label of the button that sends the form. */
  readonly send: string;
  readonly submit: (form: FormData) => Promise<unknown>;
  readonly children: ComponentChildren;
}

/**
 * Each opening creates a new element, because a dialog's `close` event can come after the next opening, and
 * must not close the new dialog.
 */
export function Dialog({ open, kind = 'plain', ...content }: DialogProps) {
  const [last, setLast] = useState(0);
  const [shown, setShown] = useState<number>();
  const show = () => {
    setLast(last + 1);
    setShown(last + 1);
  };
  const gone = (number: number) => setShown((now) => (now === number ? undefined : now));
  return (
    <>
      <button type="button" class={kind} aria-haspopup="dialog" onClick={show}>
        {open}
      </button>
      {shown !== undefined && <OpenDialog key={shown} {...content} onClose={() => gone(shown)} />}
    </>
  );
}

interface OpenDialogProps extends Omit<DialogProps, 'open' | 'kind'> {
  readonly onClose: () => void;
}

function OpenDialog({ title, send, submit, children, onClose }: OpenDialogProps) {
  const t = useTexts();
  const element = useRef<HTMLDialogElement>(null);
  const isSent = useRef(false);
  const heading = useId();
  useLayoutEffect(() => element.current?.showModal(), []);
  const close = () => element.current?.close();
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isSent.current) return;
    isSent.current = true;
    try {
      await submit(new FormData(event.currentTarget as HTMLFormElement));
      close();
    } catch (error) {
      showError(error);
    }
    isSent.current = false;
  };
  return (
    <dialog ref={element} aria-labelledby={heading} onClose={onClose}>
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

interface SelectFieldProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
}

export function SelectField({ name, label, options }: SelectFieldProps) {
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
