import type { ComponentChildren } from 'preact';
import { useData } from '../api.js';
import type { ChangedRecords } from '../live.js';
import { type Route, to } from '../route.js';
import { Loaded } from './list.js';

interface RecordProps<Data> {
  readonly route: Route;
  /** In the control API. */
  readonly path: string;
  readonly kinds: readonly ChangedRecords[];
  readonly back: string;
  readonly children: (data: Data) => ComponentChildren;
}

/** The id is the second part of the address. */
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
