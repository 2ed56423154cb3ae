import { readText } from '../api.js';
import { Copy } from '../parts/copy.js';
import { Facts, UntrustedText } from '../parts/text.js';
import { useTexts } from '../texts/language.js';
import { type ConnectionTarget, secretMask } from './snippets.js';

/** The page copies it, but never shows it. */
export async function readClientSecret(): Promise<string> {
  const { clientSecret } = JSON.parse(await readText('credentials')) as { clientSecret: string };
  return clientSecret;
}

export function Connect({ place: { baseUrl, clientId } }: { place: Omit<ConnectionTarget, 'clientSecret'> }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.start.connect}</h2>
      <Facts
        facts={[
          [t.start.baseUrl, <Value key="url" text={baseUrl} label={t.start.baseUrl} />],
          [t.start.clientId, <Value key="id" text={clientId} label={t.start.clientId} />],
          [
            t.start.secretName,
            <span key="secret" class="value">
              <span class="mono">{secretMask}</span>{' '}
              <Copy text={readClientSecret} label={t.start.secretName} />
            </span>,
          ],
        ]}
      />
    </section>
  );
}

const Value = ({ text, label }: { text: string; label: string }) => (
  <span class="value">
    <UntrustedText text={text} mono /> <Copy text={text} label={label} />
  </span>
);
