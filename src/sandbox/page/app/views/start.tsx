import { send, useData } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Copy } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Loaded } from '../parts/list.js';
import { showMessage } from '../parts/message.js';
import { Code, Facts, UntrustedText } from '../parts/text.js';
import { to } from '../route.js';
import { useFormats, useTexts } from '../texts/language.js';

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

const snippetOf = (baseUrl: string, clientId: string) => `import { PaymentPlatform } from 'payment-platform';

const platform = new PaymentPlatform({
  baseUrl: '${baseUrl}',
  clientId: '${clientId}',
  clientSecret: process.env.CLIENT_SECRET,
});
const payment = await platform.payments.create({
  amount: 1990,
  paymentMethod: 'pix',
  customer: {
    name: 'Maria Silva',
    email: 'maria@example.com',
    document: { number: '12345678909', type: 'cpf' },
  },
  items: [{ title: 'Book', quantity: 1, unitPrice: 1990 }],
});`;

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
  const snippet = snippetOf(location.origin, first?.clientId ?? '');
  const create = async (paymentMethod: string) => {
    const { id } = await send<{ id: string }>('payments/sample', { paymentMethod });
    location.hash = to('payments', id);
  };
  const counted = [
    ['payments', info.counts.payments],
    ['journal', info.counts.requests],
    ['webhooks', info.counts.deliveries],
  ] as const;
  return (
    <>
      <ul class="tiles">
        {counted.map(([name, count]) => (
          <li key={name}>
            <a href={to(name)}>
              <strong class="number">{number(count)}</strong> {t.nav[name]}
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
                run={() => create(method)}
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
              [t.start.baseUrl, <Value key="url" text={location.origin} label={t.start.baseUrl} />],
              [t.start.clientId, <Value key="id" text={first?.clientId ?? ''} label={t.start.clientId} />],
            ]}
          />
          <p class="faint">{t.start.secretNote}</p>
        </section>
      </div>
      <section class="card">
        <div class="head">
          <h2>{t.start.snippet}</h2>
          <Copy text={snippet} label={t.start.snippet} />
        </div>
        <Code label={t.start.snippet} text={snippet} />
      </section>
      <div class="columns">
        <section class="card">
          <h2>{t.start.cards}</h2>
          <p class="faint">{t.start.cardsAbout}</p>
          <dl class="facts">
            {Object.entries(info.testCards).map(([name, pan]) => (
              <div key={name}>
                <dt>{t.start.card[name] ?? name}</dt>
                <dd>
                  <Value
                    text={pan}
                    shown={pan.replace(/(.{4})(?=.)/g, '$1 ')}
                    label={t.start.card[name] ?? name}
                  />
                </dd>
              </div>
            ))}
          </dl>
        </section>
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
                        (error: Error) => showMessage(error.message),
                      )
                    }
                  />
                  {t.start.product[feature]}
                </label>
              ))}
            </fieldset>
          ))}
        </section>
      </div>
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
    </>
  );
}

function Value({ text, shown = text, label }: { text: string; shown?: string; label: string }) {
  return (
    <span class="value">
      <UntrustedText text={shown} mono /> <Copy text={text} label={label} />
    </span>
  );
}
