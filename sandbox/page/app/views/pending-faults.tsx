import { send, useData } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { List } from '../parts/list.js';
import { UntrustedText } from '../parts/text.js';
import { useTexts } from '../texts/language.js';

interface Fault {
  readonly id: string | number;
  readonly fault: unknown;
  readonly nth: number;
  /** Undefined for a fault with a rate, because JSON leaves the field out. */
  readonly left?: number | undefined;
  readonly rate?: number | undefined;
}

interface PendingFaultsProps<Item extends Fault> {
  /** In the control API. */
  readonly path: string;
  readonly title: string;
  readonly none: string;
  readonly left: (count: number) => string;
  /** The label of the button that adds the fault; undefined for another fault. */
  readonly name: (fault: Item) => string | undefined;
  readonly where: (fault: Item) => readonly string[];
}

export function PendingFaults<Item extends Fault>({
  path,
  title,
  none,
  left,
  name,
  where,
}: PendingFaultsProps<Item>) {
  const t = useTexts();
  const pending = useData<{ data: Item[] }>(path, 'faults');
  const isAny = (pending.data?.data.length ?? 0) > 0;
  const off = ({ id }: Item) => send(`${path}/${encodeURIComponent(id)}`, undefined, 'DELETE');
  return (
    <section>
      <div class="head">
        <h2>{title}</h2>
        {isAny && (
          <ActionButton kind="danger" run={() => send(path, undefined, 'DELETE')}>
            {t.faults.clear}
          </ActionButton>
        )}
      </div>
      <List reading={pending} label={title} empty={none} getKey={({ id }) => String(id)}>
        {(fault) => (
          <div class="row fault">
            <strong>
              {name(fault) ?? (
                <UntrustedText
                  text={typeof fault.fault === 'string' ? fault.fault : JSON.stringify(fault.fault)}
                  mono
                />
              )}
            </strong>
            {where(fault).map((text) => (
              <UntrustedText key={text} text={text} />
            ))}
            <span class="faint">
              {fault.left === undefined ? t.faults.rate(fault.rate ?? 0) : left(fault.left)}
              {fault.nth > 1 && fault.rate === undefined && `, ${t.faults.from(fault.nth)}`}
            </span>
            <ActionButton run={() => off(fault)} label={`${t.faults.off}: ${fault.id}`}>
              {t.faults.off}
            </ActionButton>
          </div>
        )}
      </List>
    </section>
  );
}
