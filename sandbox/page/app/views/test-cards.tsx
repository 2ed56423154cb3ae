import type { Info } from '../../../control/responses.js';
import type { testCards } from '../../../scenarios/test-cards.js';
import { Copy } from '../parts/copy.js';
import { useTexts } from '../texts/language.js';

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

export function TestCards({ numbers }: { numbers: Info['testCards'] }) {
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
