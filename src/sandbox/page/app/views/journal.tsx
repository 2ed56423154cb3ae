import type { JournalRequest } from '../../../http/journal-entry.js';
import { useData, withQuery } from '../api.js';
import { List } from '../parts/list.js';
import { Facts, HttpStatus, Json, Time, UntrustedText } from '../parts/text.js';
import { type Route, toQuery } from '../route.js';
import { useTexts } from '../texts/language.js';

const pageSize = 50;

/** Every request with its answer. */
export function Journal({ route: { query } }: { route: Route }) {
  const t = useTexts();
  const after = query.get('after') ?? undefined;
  const requests = useData<{ data: JournalRequest[] }>(
    withQuery('journal', { after, limit: String(pageSize) }),
    'journal',
  );
  const oldest = requests.data?.data[0]?.number ?? 1;
  return (
    <>
      <h1>{t.journal.title}</h1>
      <p class="lead">{t.journal.about}</p>
      <List
        reading={requests}
        label={t.journal.title}
        empty={t.journal.empty}
        keyOf={({ number }) => String(number)}
      >
        {(request) => <RequestShown request={request} />}
      </List>
      <p class="pages">
        {after !== undefined && <a href={toQuery(['journal'], {})}>{t.newest}</a>}
        {oldest > 1 && (
          <a href={toQuery(['journal'], { after: String(Math.max(oldest - pageSize - 1, 0)) })}>{t.older}</a>
        )}
      </p>
    </>
  );
}

function RequestShown({ request }: { request: JournalRequest }) {
  const t = useTexts();
  const { number, at, method, path, operation, status, fault, body, answer, idempotencyKey, bodyDigest } =
    request;
  return (
    <details class="row-details">
      <summary class="row request">
        <HttpStatus status={status} />
        <span class="mono">{method}</span>
        <span class="ellipsis">
          <UntrustedText text={path} mono />
        </span>
        <span class="faint">{operation ?? t.journal.unknown}</span>
        {fault !== undefined ? (
          <span class="status bad">{typeof fault === 'string' ? fault : t.journal.fault}</span>
        ) : (
          <span />
        )}
        <Time at={at} />
      </summary>
      <div class="card">
        <Facts
          facts={[
            ['#', <span key="number">{number}</span>],
            [t.field.key, idempotencyKey && <UntrustedText key="key" text={idempotencyKey} mono />],
            [t.journal.digest, <UntrustedText key="digest" text={bodyDigest} mono />],
            [
              t.journal.fault,
              fault && (
                <UntrustedText
                  key="fault"
                  text={typeof fault === 'string' ? fault : JSON.stringify(fault)}
                  mono
                />
              ),
            ],
          ]}
        />
        <h2>{t.journal.request}</h2>
        {body === undefined ? (
          <p class="faint">{t.journal.noBody}</p>
        ) : (
          <Json label={`${t.journal.request} ${number}`} value={body} />
        )}
        <h2>{t.journal.answer}</h2>
        {answer === undefined ? (
          <p class="faint">{t.journal.noAnswer}</p>
        ) : (
          <Json label={`${t.journal.answer} ${number}`} value={answer} />
        )}
      </div>
    </details>
  );
}
