import { useState } from 'preact/hooks';
import type { Certificate } from '../../../../src/contract/certificates/types.js';
import type { Domain } from '../../../../src/contract/domains/types.js';
import { send, useData } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Copy } from '../parts/copy.js';
import { Dialog, Input } from '../parts/dialog.js';
import { List } from '../parts/list.js';
import { Code, Facts, mono, StatusLabel, Time, UntrustedText } from '../parts/text.js';
import { useTexts } from '../texts/language.js';

export function Wallets() {
  const t = useTexts();
  return (
    <>
      <h1>{t.wallets.title}</h1>
      <section>
        <h2>{t.wallets.domains}</h2>
        <Domains />
      </section>
      <section>
        <div class="head">
          <h2>{t.wallets.certificates}</h2>
          <ActionButton run={() => send('certificates')}>{t.wallets.createCertificate}</ActionButton>
        </div>
        <Certificates />
      </section>
    </>
  );
}

function Domains() {
  const t = useTexts();
  const verify = (id: string) => (form: FormData) => {
    const from = String(form.get('from') ?? '').trim();
    return send(`domains/${encodeURIComponent(id)}/verify`, from === '' ? {} : { from });
  };
  return (
    <List
      reading={useData<{ data: Domain[] }>('domains', 'domains')}
      label={t.wallets.domains}
      empty={t.wallets.noDomains}
      getKey={({ id }) => id}
    >
      {({ id, domainName, status, createdAt, lastVerificationError }) => (
        <div class="row domain">
          <StatusLabel status={status} />
          <strong>
            <UntrustedText text={domainName} />
          </strong>
          <span>
            {status !== 'verified' && (
              <Dialog
                open={t.wallets.verify}
                title={t.wallets.verify}
                send={t.wallets.verify}
                submit={verify(id)}
              >
                <Input name="from" label={t.wallets.from} hint={t.wallets.fromHint} />
              </Dialog>
            )}
          </span>
          <Time at={createdAt} />
          {lastVerificationError != null && (
            <p class="wide faint">
              <UntrustedText text={lastVerificationError} />
            </p>
          )}
        </div>
      )}
    </List>
  );
}

function Certificates() {
  const t = useTexts();
  return (
    <List
      reading={useData<{ data: Certificate[] }>('certificates', 'certificates')}
      label={t.wallets.certificates}
      empty={t.wallets.noCertificates}
      getKey={({ id }) => id}
    >
      {(record) => <CertificateShown record={record} />}
    </List>
  );
}

function CertificateShown({ record }: { record: Certificate }) {
  const t = useTexts();
  const [pem, setPem] = useState<string>();
  const { id, status, signingRequestPem, publicKeyFingerprint, createdAt, notAfter } = record;
  const request = signingRequestPem ?? '';
  const issue = async () => {
    const { certificate } = await send<{ certificate: string }>('certificates/issue', {
      signingRequestPem: request,
    });
    setPem(certificate);
  };
  return (
    <details class="row-details">
      <summary class="row certificate">
        <StatusLabel status={status} />
        <UntrustedText text={id} mono />
        <Time at={createdAt} />
      </summary>
      <div class="card">
        <Facts
          facts={[
            [t.field.fingerprint, mono(publicKeyFingerprint)],
            [t.field.valid, notAfter == null ? undefined : <Time key="until" at={notAfter} />],
          ]}
        />
        <Pem label={t.wallets.request} text={request} />
        <ActionButton run={issue}>{t.wallets.issue}</ActionButton>
        {pem !== undefined && (
          <>
            <Pem label={t.wallets.issued} text={pem} />
            <p class="faint">{t.wallets.issuedAbout}</p>
          </>
        )}
      </div>
    </details>
  );
}

function Pem({ label, text }: { label: string; text: string }) {
  return (
    <>
      <div class="head">
        <h3>{label}</h3>
        <Copy text={text} label={label} />
      </div>
      <Code label={label} text={text} />
    </>
  );
}
