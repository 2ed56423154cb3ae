import type { Info } from '../../../control/responses.js';
import type { testCards } from '../../../scenarios/test-cards.js';
import { send, useData } from '../api.js';
import { showError } from '../messages.js';
import { Copy } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { Loaded } from '../parts/list.js';
import { UntrustedText } from '../parts/text.js';
import { to } from '../route.js';
import { useFormats, useTexts } from '../texts/language.js';
import { FirstPayment } from './first-payment.js';

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
  const place = { baseUrl: location.origin, clientId: info.merchants[0]?.clientId ?? '' };
  return (
    <>
      <FirstPayment place={place} />
      <Counts counts={info.counts} />
      <TestCards numbers={info.testCards} />
      <div class="columns">
        <Products merchants={info.merchants} />
        <Reset />
      </div>
    </>
  );
}

function Counts({ counts }: Pick<Info, 'counts'>) {
  const t = useTexts();
  const { number } = useFormats();
  const counted = [
    ['payments', counts.payments, t.start.counted.payments],
    ['journal', counts.requests, t.start.counted.requests],
    ['webhooks', counts.deliveries, t.start.counted.deliveries],
  ] as const;
  return (
    <ul class="tiles">
      {counted.map(([name, count, text]) => (
        <li key={name}>
          <a href={to(name)}>
            <strong class="number">{number(count)}</strong> {text(count)}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Products({ merchants }: Pick<Info, 'merchants'>) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.start.products}</h2>
      <p class="faint">{t.start.productsAbout}</p>
      {merchants.map(({ clientId, features }) => (
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
  );
}

function Reset() {
  const t = useTexts();
  return (
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
  );
}

type TestCard = keyof typeof testCards;

const groups = {
  paid: ['approved', 'upsellRefused', 'withoutUpsell'],
  review: ['inAnalysis', 'inAnalysisThenApproved', 'inAnalysisThenRefused'],
  unknown: ['unknown', 'unknownThenCreated', 'unknownThenNotCreated'],
  declined: [
    'refused',
    'insufficientFunds',
    'expiredCard',
    'invalidCvv',
    'suspectedFraud',
    'lostOrStolen',
    'limitExceeded',
    'notPermitted',
    'processingError',
  ],
} as const satisfies Record<string, readonly TestCard[]>;

function TestCards({ numbers }: { numbers: Info['testCards'] }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.start.cards}</h2>
      <p class="faint">{t.start.cardsAbout}</p>
      <div class="card-groups">
        {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
          <section key={group} class={`card-group ${group}`} aria-label={t.start.cardGroup[group]}>
            <h3>{t.start.cardGroup[group]}</h3>
            <ul>
              {groups[group].map((card) => (
                <li key={card}>
                  <CardNumber
                    pan={numbers[card] ?? ''}
                    outcome={`${t.start.cardGroup[group]}, ${t.start.card[card]}`}
                  />
                  <span class="faint">{t.start.card[card]}</span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}

function CardNumber({ pan, outcome }: { pan: string; outcome: string }) {
  return (
    <span class="value">
      <span class="mono number">{pan.replace(/(.{4})(?=.)/g, '$1 ')}</span>{' '}
      <Copy text={pan} label={outcome} />
    </span>
  );
}
