import type { ComponentChildren } from 'preact';
import type { Reading } from '../api.js';
import { toQuery } from '../route.js';
import { useFormats, useTexts } from '../texts/language.js';
import { visible } from '../visible.js';

interface LoadedProps<Data> {
  readonly reading: Reading<Data>;
  readonly children: (data: Data) => ComponentChildren;
}

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
  readonly getKey: (item: Item) => string;
  readonly children: (item: Item) => ComponentChildren;
}

export function List<Item>({ reading, label, empty, getKey, children }: ListProps<Item>) {
  return (
    <Loaded reading={reading}>
      {({ data }) =>
        data.length === 0 ? (
          <p class="empty">{empty}</p>
        ) : (
          <ul class="rows" aria-label={label}>
            {data.toReversed().map((item) => (
              <li key={getKey(item)}>{children(item)}</li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

interface Column<Item> {
  readonly head: string;
  /**
   * `wide`: takes the remaining width, and is truncated. `right`: numbers. `link`: links to the item.
   * `state`: the item's status. In a narrow window, `link` and `state` are the first line of an entry, and
   * the other cells stand below with their headings.
   */
  readonly kind?: 'wide' | 'right' | 'link' | 'link right' | 'state' | 'actions';
  /** Undefined if the item has no value in this column. */
  readonly cell: (item: Item) => ComponentChildren;
}

interface TableProps<Item> {
  readonly reading: Reading<{ data: readonly Item[] }>;
  readonly label: string;
  readonly empty: string;
  readonly getKey: (item: Item) => string;
  /** The whole row links to it. */
  readonly getLink?: (item: Item) => string;
  readonly columns: readonly Column<Item>[];
}

/** Newest item first. */
export function Table<Item>({ reading, label, empty, getKey, getLink, columns }: TableProps<Item>) {
  const shown = (item: Item, { head, kind, cell }: Column<Item>) => {
    const content = cell(item);
    if (content === undefined) {
      return (
        <td key={head} class={`${kind ?? ''} none`}>
          —
        </td>
      );
    }
    return (
      <td key={head} class={kind} data-head={head}>
        {kind?.startsWith('link') && getLink !== undefined ? (
          <a href={getLink(item)}>{content}</a>
        ) : (
          <span>{content}</span>
        )}
      </td>
    );
  };
  return (
    <Loaded reading={reading}>
      {({ data }) =>
        data.length === 0 ? (
          <p class="empty">{empty}</p>
        ) : (
          <table class="list" aria-label={label}>
            <thead>
              <tr>
                {columns.map(({ head, kind }) => (
                  <th key={head} scope="col" class={kind}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.toReversed().map((item) => (
                <tr key={getKey(item)} class={getLink && 'leads'}>
                  {columns.map((column) => shown(item, column))}
                </tr>
              ))}
            </tbody>
          </table>
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
  readonly all: string;
  readonly labels: Readonly<Record<string, string | undefined>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** By value. Values without items are left out. */
  readonly counts?: Readonly<Record<string, number>> | undefined;
}

export function Filter({ label, path, name, values, current, all, labels, query = {}, counts }: FilterProps) {
  const { number } = useFormats();
  const filled = values.filter((value) => counts === undefined || counts[value] || value === current);
  return (
    <nav class="filter" aria-label={label}>
      {[undefined, ...filled].map((value) => (
        <a
          key={value ?? ''}
          href={toQuery(path, { ...query, [name]: value })}
          aria-current={value === current ? 'true' : undefined}
          title={value}
        >
          {value === undefined ? all : (labels[value] ?? value)}
          {counts !== undefined && value !== undefined && (
            <>
              {' '}
              <span class="number">{number(counts[value] ?? 0)}</span>
            </>
          )}
        </a>
      ))}
    </nav>
  );
}

interface PagesProps {
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Set if older items can exist. */
  readonly oldest: string | undefined;
  readonly isNewest: boolean;
}

export function Pages({ path, query, oldest, isNewest }: PagesProps) {
  const t = useTexts();
  return (
    <p class="pages">
      {!isNewest && <a href={toQuery(path, query)}>{t.newest}</a>}
      {oldest !== undefined && <a href={toQuery(path, { ...query, before: oldest })}>{t.older}</a>}
    </p>
  );
}
