import type { JournalRequest } from '../../../http/journal-entry.js';
import { useData } from '../api.js';
import { Loaded } from '../parts/list.js';
import { PaymentLink } from '../parts/payment-link.js';
import { Facts, HttpStatus, Json, mono, Time, UntrustedText } from '../parts/text.js';
import { type Route, to } from '../route.js';
import { useTexts } from '../texts/language.js';
import { FaultName } from './journal.js';

/** The request's number is the second part of the URL. */
export function RequestView({ route }: { route: Route }) {
  const t = useTexts();
  const number = Number.parseInt(route.path[1] ?? '', 10) || 0;
  const reading = useData<{ data: JournalRequest[] }>(
    `journal?limit=1&after=${Math.max(number - 1, 0)}`,
    'journal',
    'payments',
  );
  return (
    <>
      <p class="back">
        <a href={to('journal')}>← {t.journal.back}</a>
      </p>
      <Loaded reading={reading}>
        {({ data: [request] }) =>
          request?.number === number ? <Details request={request} /> : <h1>{t.notFound}</h1>
        }
      </Loaded>
    </>
  );
}

function Details({ request }: { request: JournalRequest }) {
  const t = useTexts();
  const { number, at, method, path, operation, status, fault, body, response, paymentId } = request;
  return (
    <>
      <div class="title">
        <h1 class="outside">
          <UntrustedText text={`${method} ${path}`} />
        </h1>
        <HttpStatus status={status} />
        {fault !== undefined && <FaultName fault={fault} />}
      </div>
      <section class="card">
        <Facts
          facts={[
            ['#', String(number)],
            [t.field.time, <Time key="at" at={at} />],
            [t.journal.operation, operation ?? t.journal.unknown],
            [t.field.payment, paymentId && <PaymentLink id={paymentId} />],
            [t.field.key, mono(request.idempotencyKey)],
            [t.journal.digest, mono(request.bodyDigest)],
            [t.journal.fault, fault && mono(typeof fault === 'string' ? fault : JSON.stringify(fault))],
          ]}
        />
      </section>
      <Fields request={request} />
      <div class="columns">
        <Body label={t.journal.request} value={body} otherwise={t.journal.noBody} />
        <Body label={t.journal.response} value={response} otherwise={t.journal.noResponse} />
      </div>
    </>
  );
}

function Body({ label, value, otherwise }: { label: string; value: unknown; otherwise: string }) {
  return (
    <section class="card">
      <h2>{label}</h2>
      {value === undefined ? <p class="faint">{otherwise}</p> : <Json label={label} value={value} />}
    </section>
  );
}

function Fields({ request: { response, ignored = [] } }: { request: JournalRequest }) {
  const t = useTexts();
  const rejectedFields = issuesIn(response);
  return (
    <>
      {rejectedFields.length > 0 && (
        <section class="card attention bad" aria-label={t.journal.rejectedFields}>
          <h2>{t.journal.rejectedFields}</h2>
          <Facts
            facts={rejectedFields.map(({ path, message }) => [
              path || '—',
              <span key={path} lang="en">
                <UntrustedText text={message} />
              </span>,
            ])}
          />
        </section>
      )}
      {ignored.length > 0 && (
        <section class="card attention" aria-label={t.journal.ignored}>
          <h2>{t.journal.ignored}</h2>
          <p class="faint">{t.journal.ignoredAbout}</p>
          <ul class="chips">
            {ignored.map((path) => (
              <li key={path}>
                <UntrustedText text={path} mono />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The option `errorBody` can change its format. */
function issuesIn(response: unknown): readonly Issue[] {
  const { error } = (response ?? {}) as { error?: { issues?: readonly Issue[] } };
  return Array.isArray(error?.issues) ? error.issues : [];
}
