import type {
  DeliveryFault,
  DeliveryFaultRule,
  PendingDeliveryFault,
} from '../../../faults/delivery-faults.js';
import { deliveryFaults } from '../../../faults/fault-names.js';
import { send } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { useTexts } from '../texts/language.js';
import { PendingFaults } from './pending-faults.js';

const presets: readonly DeliveryFaultRule[] = deliveryFaults.map((fault) =>
  fault === 'delay' ? { fault, delay: '2m' } : { fault },
);

export function DeliveryFaults() {
  const t = useTexts();
  const named = (fault: DeliveryFault) => t.deliveryFaults.preset[fault];
  return (
    <>
      <section class="card">
        <h2>{t.deliveryFaults.title}</h2>
        <p class="faint">{t.deliveryFaults.about}</p>
        <div class="actions">
          {presets.map((rule) => (
            <ActionButton key={rule.fault} run={() => send('delivery-faults', rule)}>
              {named(rule.fault)}
            </ActionButton>
          ))}
        </div>
      </section>
      <PendingFaults<PendingDeliveryFault>
        path="delivery-faults"
        title={t.deliveryFaults.pending}
        none={t.deliveryFaults.none}
        left={t.deliveryFaults.left}
        name={({ fault }) => named(fault)}
        where={({ event }) => [event === '*' ? t.deliveryFaults.any : event]}
      />
    </>
  );
}
