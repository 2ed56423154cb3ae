import { expect, test } from 'vitest';
import { onBothEngines } from '../support/engines.js';
import { echoes, platformMessages } from '../support/platform-messages.js';
import { byChance, rejectedOrders, shapes } from '../support/rejected-orders.js';

onBothEngines((engine) => {
  const sendRejected = rejectedOrders(engine);

  // message-redactor.test.ts has all of them.
  const some = platformMessages.filter((_, index) => index % 11 === 0);
  test.each(some)('an error quotes the platform’s message unchanged: %s', async (message) => {
    for (const shape of shapes) {
      const { error } = await sendRejected(shape(message));
      expect(error.body?.message).toBe(message);
      expect(error.message).toContain(message);
    }
  });

  test.each(echoes)('no message, log or hook shows %s', async (_, message, hidden) => {
    for (const shape of shapes) {
      const { error, everything } = await sendRejected(shape(message));
      expect(error.body?.message).toContain('[redacted]');
      for (const [sink, text] of Object.entries(everything))
        for (const part of hidden)
          expect(text?.replace(byChance, '').toLowerCase(), sink).not.toContain(part.toLowerCase());
    }
  });
});
