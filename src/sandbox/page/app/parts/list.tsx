import type { ComponentChildren } from 'preact';
import type { Reading } from '../api.js';
import { toQuery } from '../route.js';
import { useTexts } from '../texts/language.js';
import { visible } from '../visible.js';

interface LoadedProps<Data> {
  readonly reading: Reading<Data>;
  readonly children: (data: Data) => ComponentChildren;
}

/** Shows the data once they are read, or the error. */
export function Loaded<Data>({ reading: { data, error }, children }: LoadedProps<Data>) {
  const t = useTexts();
  if (data !== undefined) return <>{children(data)}</>;
  if (error !== undefined) return <p class="empty">{visible(error.message.slice(0, 300))}</p>;
  return <p class="empty loading">{t.loading}</p>;
}

interface ListProps<Item> {
  readonly reading: Reading<{ data: readonly Item[] }>;
  readonly label: string;
  readonly empty: string;
  readonly keyOf: (item: Item) => string;
  readonly children: (item: Item) => ComponentChildren;
}

/** A list from the sandbox, the newest first. */
export function List<Item>({ reading, label, empty, keyOf, children }: ListProps<Item>) {
  return (
    <Loaded reading={reading}>
      {({ data }) =>
        data.length === 0 ? (
          <p class="empty">{empty}</p>
        ) : (
          <ul class="rows" aria-label={label}>
            {data.toReversed().map((item) => (
              <li key={keyOf(item)}>{children(item)}</li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

interface FilterProps {
  readonly label: string;
  readonly path: readonly string[];
  readonly name: string;
  readonly values: readonly string[];
  readonly current: string | undefined;
}

/** Links to the same list, with and without a filter. */
export function Filter({ label, path, name, values, current }: FilterProps) {
  const t = useTexts();
  return (
    <nav class="filter" aria-label={label}>
      {[undefined, ...values].map((value) => (
        <a
          key={value ?? ''}
          href={toQuery(path, { [name]: value })}
          aria-current={value === current ? 'true' : undefined}
        >
          {value ?? t.all}
        </a>
      ))}
    </nav>
  );
}

interface PagesProps {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The oldest item shown, if there may be older ones. */
  readonly oldest: string | undefined;
  readonly isNewest: boolean;
}

/** Links to the older items of a list, and back to the newest. */
export function Pages({ path, query, oldest, isNewest }: PagesProps) {
  const t = useTexts();
  return (
    <p class="pages">
      {!isNewest && <a href={toQuery(path, query)}>{t.newest}</a>}
      {oldest !== undefined && <a href={toQuery(path, { ...query, before: oldest })}>{t.older}</a>}
    </p>
  );
}
