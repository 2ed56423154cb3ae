import type { OnboardingFile, RegistrationDetails } from '../../../control/responses.js';
import { onboardingDecisions } from '../../../defaults/transitions.js';
import { send } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Dialog, Input } from '../parts/dialog.js';
import { RecordView } from '../parts/record.js';
import { Facts, mono, plain, StatusLabel, Time, UntrustedText } from '../parts/text.js';
import type { Route } from '../route.js';
import { useFormats, useTexts } from '../texts/language.js';
import { nameIn } from './sellers.js';

export function RegistrationView({ route }: { route: Route }) {
  const t = useTexts();
  return (
    <RecordView<RegistrationDetails>
      route={route}
      path="onboarding"
      kinds={['onboarding', 'clock']}
      back={t.sellers.back}
    >
      {(data) => <Details registration={data} />}
    </RecordView>
  );
}

function Details({ registration }: { registration: RegistrationDetails }) {
  const t = useTexts();
  const { registration_id: id, status, fields, documents } = registration;
  return (
    <>
      <div class="title">
        <h1 class="outside">
          <UntrustedText text={nameIn(fields, id)} />
        </h1>
        <StatusLabel status={status} isNamed />
        <span class="faint">{t.sellers.kind[registration.kind]}</span>
      </div>
      {onboardingDecisions.approve.from.some((from) => from === status) && <Decision id={id} />}
      <div class="columns">
        <section class="card">
          <h2>{t.sellers.documents}</h2>
          <ul class="documents">
            {documents.map((document) => (
              <li key={document.field}>
                <DocumentShown id={id} document={document} />
              </li>
            ))}
          </ul>
        </section>
        <section class="card">
          <h2>{t.sellers.form}</h2>
          <Facts
            facts={[
              [t.field.id, mono(id)],
              [t.field.key, mono(registration.externalId)],
              [t.field.created, <Time key="at" at={registration.createdAt} />],
              [t.sellers.account, mono(registration.internalId)],
              [t.field.reason, plain(registration.reason)],
            ]}
          />
          <Facts
            facts={Object.entries(fields).map(([name, value]) => [
              name,
              <FieldValue key={name} value={value} />,
            ])}
          />
        </section>
      </div>
    </>
  );
}

/** Some fields are JSON strings. */
function FieldValue({ value }: { value: unknown }) {
  const parts = typeof value === 'string' ? parseParts(value) : value;
  if (typeof parts !== 'object' || parts === null) return <UntrustedText text={value} />;
  return (
    <ul class="plain-list">
      {Object.entries(parts).map(([name, part]) => (
        <li key={name}>
          <span class="faint">
            <UntrustedText text={name} />
          </span>{' '}
          <UntrustedText text={typeof part === 'object' ? JSON.stringify(part) : part} />
        </li>
      ))}
    </ul>
  );
}

function parseParts(text: string): unknown {
  try {
    return text.startsWith('{') ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function Decision({ id }: { id: string }) {
  const t = useTexts();
  const path = `onboarding/${encodeURIComponent(id)}`;
  const reject = (form: FormData) => {
    const reason = String(form.get('reason') ?? '');
    return send(`${path}/reject`, {
      canResubmit: form.get('canResubmit') === 'on',
      ...(reason !== '' && { reason }),
    });
  };
  return (
    <section class="card" aria-label={t.payments.actions}>
      <div class="actions">
        <ActionButton kind="main" run={() => send(`${path}/approve`)}>
          {t.sellers.approve}
        </ActionButton>
        <Dialog
          open={t.sellers.reject}
          title={t.sellers.rejectTitle}
          send={t.sellers.rejectNow}
          submit={reject}
        >
          <p class="faint">{t.sellers.rejectAbout}</p>
          <Input name="reason" label={t.field.reason} />
          <label class="check">
            <input type="checkbox" name="canResubmit" />
            {t.sellers.canResubmit}
          </label>
        </Dialog>
      </div>
    </section>
  );
}

/** The sandbox serves these types as images. */
const imageTypes = /^image\/(png|jpeg|webp)$/;

function DocumentShown({ id, document }: { id: string; document: OnboardingFile }) {
  const t = useTexts();
  const { number } = useFormats();
  const { field, filename, contentType, size } = document;
  const source = `onboarding/${encodeURIComponent(id)}/documents/${encodeURIComponent(field)}`;
  return (
    <figure>
      {imageTypes.test(contentType) && <img src={source} alt={field} loading="lazy" />}
      <figcaption>
        <UntrustedText text={field} />{' '}
        <span class="faint">
          <UntrustedText text={contentType} />, {number(size)} {t.sellers.bytes}
        </span>{' '}
        <a href={source} download={field}>
          {t.sellers.download} <UntrustedText text={filename ?? field} />
        </a>
      </figcaption>
    </figure>
  );
}
