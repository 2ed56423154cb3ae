import type { TimelineEntry } from '../../../timeline/timeline.js';
import { useData } from '../api.js';
import { CopyTest } from '../parts/copy.js';
import { Loaded } from '../parts/list.js';
import { type Route, toQuery, withQuery } from '../route.js';
import { useTexts } from '../texts/language.js';
import { SequenceDiagram } from './sequence-diagram.js';

const pageSize = 200;

const kinds = ['journal', 'payments', 'deliveries', 'clock', 'faults'] as const;

export function TimelineView({ route: { query } }: { route: Route }) {
  const t = useTexts();
  const before = query.get('before') ?? undefined;
  const reading = useData<{ data: TimelineEntry[] }>(
    withQuery('timeline', { before, limit: String(pageSize) }),
    ...kinds,
  );
  const oldest = reading.data?.data[0]?.number ?? 1;
  return (
    <>
      <div class="head">
        <h1>{t.timeline.title}</h1>
        <CopyTest />
      </div>
      <p class="lead">{t.timeline.about}</p>
      <Loaded reading={reading}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="empty">{t.timeline.empty}</p>
          ) : (
            <section class="card" aria-label={t.timeline.title}>
              <SequenceDiagram entries={data} linked />
            </section>
          )
        }
      </Loaded>
      <p class="pages">
        {before !== undefined && <a href={toQuery(['timeline'], {})}>{t.newest}</a>}
        {oldest > 1 && <a href={toQuery(['timeline'], { before: String(oldest) })}>{t.older}</a>}
      </p>
    </>
  );
}

export function PaymentTimeline({ id }: { id: string }) {
  const t = useTexts();
  const reading = useData<{ data: TimelineEntry[] }>(
    withQuery('timeline', { payment: id, limit: String(pageSize) }),
    ...kinds,
  );
  const { data = [] } = reading.data ?? {};
  if (data.length === 0) return null;
  return (
    <section class="card">
      <div class="head">
        <h2>{t.timeline.title}</h2>
        <CopyTest payment={id} />
      </div>
      <Summary entries={data} />
      <SequenceDiagram entries={data} />
    </section>
  );
}

function Summary({ entries }: { entries: readonly TimelineEntry[] }) {
  const t = useTexts();
  const requests = entries.filter(
    ({ kind, operation, idempotencyKey }) =>
      kind === 'request' && operation === 'payments.create' && idempotencyKey !== undefined,
  ).length;
  const charges = entries.filter((entry) => entry.kind === 'status' && entry.isFirst).length;
  return requests === 0 ? null : (
    <p class="summary">
      <strong>{t.timeline.summary(requests, charges)}</strong>
    </p>
  );
}
