import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

interface TabsProps {
  readonly label: string;
  readonly names: readonly string[];
  readonly children: (name: string) => ComponentChildren;
}

/** The arrow keys move between the tabs, as in any tab list. */
export function Tabs({ label, names, children }: TabsProps) {
  const id = useId();
  const [chosen, setChosen] = useState(names[0] ?? '');
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length] ?? chosen;
    setChosen(next);
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
            onClick={() => setChosen(name)}
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
