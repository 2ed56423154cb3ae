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

interface Column<Item> {
  readonly head: string;
  /**
   * `wide`: takes the room that is left, and is cut. `right`: numbers. `link`: leads to the item. `state`: its status.
   * In a narrow window, `link` and `state` are an entry's first line, and the other cells stand below with their heads.
   */
  readonly kind?: 'wide' | 'right' | 'link' | 'state' | 'actions';
  /** Undefined if the item has nothing there. */
  readonly cell: (item: Item) => ComponentChildren;
}

interface TableProps<Item> {
  readonly reading: Reading<{ data: readonly Item[] }>;
  readonly label: string;
  readonly empty: string;
  readonly keyOf: (item: Item) => string;
  /** The view of an item. The whole row leads to it. */
  readonly linkOf?: (item: Item) => string;
  readonly columns: readonly Column<Item>[];
}

/** A list from the sandbox as a table, the newest first. */
export function Table<Item>({ reading, label, empty, keyOf, linkOf, columns }: TableProps<Item>) {
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
        {kind === 'link' && linkOf !== undefined ? (
          <a href={linkOf(item)}>{content}</a>
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
                <tr key={keyOf(item)} class={linkOf && 'leads'}>
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
  /** The label of the link without a filter. */
  readonly all: string;
  /** The labels of the values. */
  readonly labels: Readonly<Record<string, string | undefined>>;
  /** The rest of the query. */
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** Links to the same list, with and without a filter. */
export function Filter({ label, path, name, values, current, all, labels, query = {} }: FilterProps) {
  return (
    <nav class="filter" aria-label={label}>
      {[undefined, ...values].map((value) => (
        <a
          key={value ?? ''}
          href={toQuery(path, { ...query, [name]: value })}
          aria-current={value === current ? 'true' : undefined}
        >
          {value === undefined ? all : (labels[value] ?? value)}
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
