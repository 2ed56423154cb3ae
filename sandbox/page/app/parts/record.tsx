import type { ComponentChildren } from 'preact';
import { useData } from '../api.js';
import type { ChangedRecords } from '../live.js';
import { type Route, to } from '../route.js';
import { Loaded } from './list.js';

interface RecordProps<Data> {
  readonly route: Route;
  /** The path of the list in the control API. */
  readonly path: string;
  readonly kinds: readonly ChangedRecords[];
  /** The label of the link back to the list. */
  readonly back: string;
  readonly children: (data: Data) => ComponentChildren;
}

/** Shows a single record, whose id is the second part of the address. */
export function RecordView<Data>({ route, path, kinds, back, children }: RecordProps<Data>) {
  const [section = '', id = ''] = route.path;
  return (
    <>
      <p class="back">
        <a href={to(section)}>← {back}</a>
      </p>
      <Loaded reading={useData<Data>(`${path}/${encodeURIComponent(id)}`, ...kinds)}>{children}</Loaded>
    </>
  );
}
