import type { Delivery, Info } from '../../../control/responses.js';
import { deliveryStates } from '../../../defaults/transitions.js';
import { useData } from '../api.js';
import { Filter, Pages } from '../parts/list.js';
import { PaymentLink } from '../parts/payment-link.js';
import { type Route, to, withQuery } from '../route.js';
import { useTexts } from '../texts/language.js';
import { DeliveryTable, FailedDeliveries } from './delivery-table.js';
import { Endpoints } from './endpoints.js';

const pageSize = 50;

/** If the query names a payment, only its deliveries. */
export function Webhooks({ route: { query } }: { route: Route }) {
  const t = useTexts();
  const state = query.get('state') ?? undefined;
  const before = query.get('before') ?? undefined;
  const payment = query.get('payment') ?? undefined;
  const deliveries = useData<{ data: Delivery[] }>(
    withQuery('deliveries', { state, before, payment, limit: String(pageSize) }),
    'deliveries',
  );
  const { data = [] } = deliveries.data ?? {};
  const info = useData<Info>('info', 'deliveries');
  return (
    <>
      <h1>{t.webhooks.title}</h1>
      {payment === undefined ? <Endpoints /> : <OfPayment id={payment} />}
      <section>
        <h2>{t.webhooks.deliveries}</h2>
        <Filter
          label={t.webhooks.filter}
          path={['webhooks']}
          name="state"
          values={deliveryStates}
          current={state}
          all={t.webhooks.all}
          labels={t.webhooks.state}
          query={{ payment }}
          counts={payment === undefined ? info.data?.counts.deliveriesByState : undefined}
        />
        <FailedDeliveries deliveries={data} />
        <DeliveryTable
          reading={deliveries}
          empty={state === undefined ? t.webhooks.noDeliveries : t.webhooks.noneOfState}
        />
        <Pages
          path={['webhooks']}
          query={{ state, payment }}
          isNewest={before === undefined}
          oldest={data.length === pageSize ? data[0]?.id : undefined}
        />
      </section>
    </>
  );
}

function OfPayment({ id }: { id: string }) {
  const t = useTexts();
  return (
    <p class="card of-payment">
      <span class="value">
        {t.webhooks.ofPayment} <PaymentLink id={id} />
      </span>
      <a href={to('webhooks')}>{t.webhooks.back}</a>
    </p>
  );
}
