import { openTelemetry } from 'payment-platform';
import { expect, test } from 'vitest';
import { onBothEngines } from '../../support/engines.js';
import { echoes } from '../../support/platform-messages.js';
import { byChance, rejectedOrders, shapes } from '../../support/rejected-orders.js';
import { registeredTelemetry } from './registered-telemetry.js';

onBothEngines((engine) => {
  const sendRejected = rejectedOrders(engine);

  test.each(echoes)('no span and no measurement shows %s', async (_, message, hidden) => {
    for (const shape of shapes) {
      const telemetry = registeredTelemetry();
      await sendRejected(shape(message), { telemetry: openTelemetry(telemetry.api) });
      const exported = await telemetry.everything();
      await telemetry.close();
      expect(exported, message).toContain('422');
      for (const part of hidden)
        expect(exported.replace(byChance, '').toLowerCase()).not.toContain(part.toLowerCase());
    }
  });
});
