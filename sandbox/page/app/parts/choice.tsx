import { useId } from 'preact/hooks';

interface ChoiceProps {
  readonly label: string;
  /** The visible names, by value. */
  readonly names: Readonly<Record<string, string>>;
  readonly chosen: string;
  readonly choose: (name: string) => void;
}

/** A choice between a few values, which the arrow keys change. It changes nothing in the sandbox. */
export function Choice({ label, names, chosen, choose }: ChoiceProps) {
  const id = useId();
  return (
    <fieldset class="choice">
      <legend class="sr">{label}</legend>
      {Object.entries(names).map(([name, text]) => (
        <label key={name}>
          <input type="radio" name={id} checked={name === chosen} onChange={() => choose(name)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
