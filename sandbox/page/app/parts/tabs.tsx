import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

interface TabsProps {
  readonly label: string;
  readonly names: readonly string[];
  /** The name under which the browser remembers the chosen tab. */
  readonly remembered?: string;
  readonly children: (name: string) => ComponentChildren;
}

/** The arrow keys move between the tabs, as in any tab list. */
export function Tabs({ label, names, remembered, children }: TabsProps) {
  const id = useId();
  const stored = remembered && localStorage.getItem(remembered);
  const [chosen, setChosen] = useState(names.find((name) => name === stored) ?? names[0] ?? '');
  const choose = (name: string) => {
    setChosen(name);
    if (remembered !== undefined) localStorage.setItem(remembered, name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length] ?? chosen;
    choose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children(chosen)}
      </div>
    </>
  );
}
