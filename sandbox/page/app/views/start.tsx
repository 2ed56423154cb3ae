import { ApiError, send, useData } from '../api.js';
import { showError } from '../messages.js';
import { ActionButton } from '../parts/action-button.js';
import { Copy } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Loaded } from '../parts/list.js';
import { Tabs } from '../parts/tabs.js';
import { Code, Facts, UntrustedText } from '../parts/text.js';
import { to } from '../route.js';
import { useFormats, useTexts } from '../texts/language.js';
import { secretVariable, snippets } from './snippets.js';

export interface Info {
  readonly version: string;
  readonly merchants: readonly {
    readonly clientId: string;
    readonly features: Readonly<Record<'paas' | 'split', boolean>>;
  }[];
  readonly testCards: Readonly<Record<string, string>>;
  readonly counts: Readonly<Record<'payments' | 'requests' | 'deliveries', number>>;
  readonly operations: readonly string[];
}

const samples = ['pix', 'boleto', 'credit_card'] as const;

/** How to call the sandbox, with its test cards and its merchants. */
export function Start() {
  const t = useTexts();
  const info = useData<Info>('info', 'merchants', 'payments', 'journal', 'deliveries');
  return (
    <>
      <h1>{t.start.title}</h1>
      <p class="lead">{t.start.lead}</p>
      <Loaded reading={info}>{(data) => <StartContent info={data} />}</Loaded>
    </>
  );
}

function StartContent({ info }: { info: Info }) {
  const t = useTexts();
  const { number } = useFormats();
  const [first] = info.merchants;
  const place = { baseUrl: location.origin, clientId: first?.clientId ?? '' };
  const counted = [
    ['payments', info.counts.payments, t.nav.payments],
    ['journal', info.counts.requests, t.nav.journal],
    ['webhooks', info.counts.deliveries, t.webhooks.deliveries],
  ] as const;
  return (
    <>
      <ul class="tiles">
        {counted.map(([name, count, text]) => (
          <li key={name}>
            <a href={to(name)}>
              <strong class="number">{number(count)}</strong> {text}
            </a>
          </li>
        ))}
      </ul>
      <div class="columns">
        <section class="card">
          <h2>{t.start.sample}</h2>
          <p class="faint">{t.start.sampleAbout}</p>
          <div class="actions">
            {samples.map((method) => (
              <ActionButton
                key={method}
                kind={method === 'pix' ? 'main' : 'plain'}
                run={() => createSample(method)}
              >
                {t.start.samples[method]}
              </ActionButton>
            ))}
          </div>
        </section>
        <section class="card">
          <h2>{t.start.connect}</h2>
          <Facts
            facts={[
              [t.start.baseUrl, <Value key="url" text={place.baseUrl} label={t.start.baseUrl} />],
              [t.start.clientId, <Value key="id" text={place.clientId} label={t.start.clientId} />],
              [t.start.secretName, <Value key="secret" text={secretVariable} label={t.start.secretName} />],
            ]}
          />
          <p class="faint">{t.start.secretNote}</p>
        </section>
      </div>
      <section class="card">
        <h2>{t.start.snippet}</h2>
        <Tabs label={t.start.snippetTabs} names={Object.keys(snippets)}>
          {(name) => {
            const text = snippets[name]?.(place) ?? '';
            return (
              <div class="snippet">
                <Copy text={text} label={name} />
                <Code label={name} text={text} />
              </div>
            );
          }}
        </Tabs>
      </section>
      <div class="columns">
        <section class="card">
          <h2>{t.start.cards}</h2>
          <p class="faint">{t.start.cardsAbout}</p>
          <table class="cards">
            <thead>
              <tr>
                <th scope="col">{t.start.cardNumber}</th>
                <th scope="col">{t.start.cardOutcome}</th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(t.start.card).map(([name, outcome]) => (
                <tr key={name}>
                  <td>
                    <CardNumber pan={info.testCards[name] ?? ''} label={outcome} />
                  </td>
                  <td>{outcome}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        <div class="stack">
          <section class="card">
            <h2>{t.start.products}</h2>
            <p class="faint">{t.start.productsAbout}</p>
            {info.merchants.map(({ clientId, features }) => (
              <fieldset key={clientId}>
                <legend>
                  <UntrustedText text={clientId} mono />
                </legend>
                {(['paas', 'split'] as const).map((feature) => (
                  <label key={feature} class="check">
                    <input
                      type="checkbox"
                      checked={features[feature]}
                      onChange={({ currentTarget }) =>
                        void send('features', { feature, enabled: currentTarget.checked, clientId }).catch(
                          showError,
                        )
                      }
                    />
                    {t.start.product[feature]}
                  </label>
                ))}
              </fieldset>
            ))}
          </section>
          <section class="card">
            <h2>{t.start.reset}</h2>
            <p class="faint">{t.start.resetAbout}</p>
            <Dialog
              open={`${t.start.reset}…`}
              kind="danger"
              title={t.start.reset}
              send={t.start.resetSend}
              submit={() => send('reset')}
            >
              <p>{t.start.resetAbout}</p>
            </Dialog>
          </section>
        </div>
      </div>
    </>
  );
}

/** Makes a payment and shows it, also if a fault hit only its response. */
async function createSample(paymentMethod: string): Promise<void> {
  const show = (id: string) => {
    location.hash = to('payments', id);
  };
  try {
    show((await send<{ id: string }>('payments/sample', { paymentMethod })).id);
  } catch (error) {
    if (error instanceof ApiError && error.paymentId !== undefined) show(error.paymentId);
    throw error;
  }
}

const CardNumber = ({ pan, label }: { pan: string; label: string }) => (
  <Value text={pan} shown={pan.replace(/(.{4})(?=.)/g, '$1 ')} label={label} />
);

function Value({ text, shown = text, label }: { text: string; shown?: string; label: string }) {
  return (
    <span class="value">
      <UntrustedText text={shown} mono /> <Copy text={text} label={label} />
    </span>
  );
}
