import type { Info } from '../../../control/responses.js';
import type { JournalRequest } from '../../../http/journal-entry.js';
import { type Reading, useData } from '../api.js';
import { Filter, Table } from '../parts/list.js';
import { HttpStatus, mono, Time } from '../parts/text.js';
import { type Route, to, toQuery, withQuery } from '../route.js';
import { useTexts } from '../texts/language.js';

const pageSize = 50;
const maxRejected = 200;

export function Journal({ route: { query } }: { route: Route }) {
  const t = useTexts();
  const after = query.get('after') ?? undefined;
  const only = query.get('only') ?? undefined;
  const rejected = only === 'rejected' ? 'true' : undefined;
  const requests = useData<{ data: JournalRequest[] }>(
    withQuery('journal', { after, rejected, limit: String(rejected === undefined ? pageSize : maxRejected) }),
    'journal',
  );
  const info = useData<Info>('info', 'journal');
  // The rejected ones are shown together, because their numbers have gaps.
  const oldest = rejected === undefined ? (requests.data?.data[0]?.number ?? 1) : 1;
  return (
    <>
      <h1>{t.journal.title}</h1>
      <p class="lead">{t.journal.about}</p>
      <Filter
        label={t.journal.filter}
        path={['journal']}
        name="only"
        values={['rejected']}
        current={only}
        all={t.journal.all}
        labels={{ rejected: t.journal.rejected }}
        counts={info.data && { rejected: info.data.counts.rejected }}
      />
      <RequestTable
        reading={requests}
        empty={rejected === undefined ? t.journal.empty : t.journal.noneRejected}
      />
      <p class="pages">
        {after !== undefined && <a href={toQuery(['journal'], {})}>{t.newest}</a>}
        {oldest > 1 && (
          <a href={toQuery(['journal'], { after: String(Math.max(oldest - pageSize - 1, 0)) })}>{t.older}</a>
        )}
      </p>
    </>
  );
}

interface RequestTableProps {
  readonly reading: Reading<{ data: readonly JournalRequest[] }>;
  readonly empty: string;
}

export function RequestTable({ reading, empty }: RequestTableProps) {
  const t = useTexts();
  return (
    <Table
      reading={reading}
      label={t.journal.title}
      empty={empty}
      getKey={({ number }) => String(number)}
      getLink={({ number }) => to('journal', String(number))}
      columns={[
        { head: t.journal.path, kind: 'link', cell: ({ method, path }) => mono(`${method} ${path}`) },
        { head: t.field.status, kind: 'state', cell: ({ status }) => <HttpStatus status={status} /> },
        { head: t.journal.operation, cell: ({ operation }) => operation ?? t.journal.unknown },
        { head: t.journal.fault, cell: ({ fault }) => fault && <FaultName fault={fault} /> },
        { head: t.field.time, cell: ({ at }) => <Time at={at} /> },
      ]}
    />
  );
}

export function FaultName({ fault }: { fault: NonNullable<JournalRequest['fault']> }) {
  const name =
    typeof fault === 'string' ? fault : 'slow' in fault ? `slow ${fault.slow} ms` : `HTTP ${fault.status}`;
  return <span class="status bad">{name}</span>;
}
