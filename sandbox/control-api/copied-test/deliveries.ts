import type { Sandbox } from '../../control/sandbox-interface.js';
import type { TimelineEntry } from '../../timeline/timeline.js';
import { literal } from './literal.js';

type Of<Kind> = Extract<TimelineEntry, { kind: Kind }>;

/** Faults whose outcome depends on more than the receiver's responses. */
const notRepeatable: ReadonlySet<unknown> = new Set(['corrupt', 'delay', 'reorder']);

export class Receivers {
  readonly #sandbox: Sandbox;
  readonly #attempts: readonly Of<'attempt'>[];
  readonly #receipts: readonly Of<'receipt'>[];
  /** By the endpoint's id. */
  readonly #numbers = new Map<string, number>();
  readonly #findIndex: (paymentId: string | undefined) => number;

  /** @param findIndex returns a payment's position among the test's payments */
  constructor(
    sandbox: Sandbox,
    entries: readonly TimelineEntry[],
    findIndex: (paymentId: string | undefined) => number,
  ) {
    this.#sandbox = sandbox;
    this.#attempts = entries.filter((entry) => entry.kind === 'attempt');
    this.#receipts = entries.filter((entry) => entry.kind === 'receipt');
    this.#findIndex = findIndex;
  }

  get areUsed(): boolean {
    return this.#attempts.length > 0;
  }

  /**
   * Every attempt must have ended with a response or a broken connection, and without a fault in
   * `notRepeatable`.
   */
  get areRepeatable(): boolean {
    return (
      this.#attempts.length === this.#receipts.length &&
      this.#receipts.every(({ error }) => error === undefined || !error.startsWith('no response within')) &&
      this.#attempts.every(({ fault }) => !notRepeatable.has(fault)) &&
      this.#deliveries().every(({ state }) => state !== 'pending')
    );
  }

  /** Returns undefined if the endpoint is already connected. */
  connect({ endpointId }: Of<'attempt'>): string | undefined {
    if (this.#numbers.has(endpointId)) return undefined;
    const number = this.#numbers.size + 1;
    this.#numbers.set(endpointId, number);
    const known = this.#sandbox.webhooks.endpoints.find(({ id }) => id === endpointId);
    const own = this.#attempts.filter((attempt) => attempt.endpointId === endpointId);
    const events = known?.events ?? [...new Set(own.map(({ event }) => event))];
    return `const endpoint${number} = sandbox.webhooks.connect(receiver(${literal(this.#listResponses(own), '  ')}), {\n    events: ${literal(events, '    ')},\n  });`;
  }

  get ids(): readonly (readonly [id: string, text: string])[] {
    return Array.from(this.#numbers, ([id, number]) => [id, `endpoint${number}.id`]);
  }

  faults(): string[] {
    const sent = new Set<string>();
    const countDeliveries = new Map<string, number>();
    return this.#attempts.flatMap(({ deliveryId, attempt, fault, event }) => {
      // A fault can send an attempt twice. Only the first request counts.
      const name = `${deliveryId} ${attempt}`;
      if (sent.has(name)) return [];
      sent.add(name);
      const nth = (countDeliveries.get(event) ?? 0) + 1;
      countDeliveries.set(event, nth);
      if (fault === undefined) return [];
      return [`sandbox.webhooks.faults.add(${literal({ fault, event, nth }, '  ')});`];
    });
  }

  redeliver(id: string): string[] {
    const index = this.#deliveries().findIndex((delivery) => delivery.id === id);
    return [
      'await sandbox.webhooks.idle();',
      `sandbox.webhooks.redeliver(sandbox.webhooks.list()[${index}].id);`,
    ];
  }

  seen(): string[] {
    const lines = this.#deliveries().map(({ event, state, attempts }) => `${event} ${state} ${attempts}`);
    return [
      '// The deliveries, each with its state and the number of its attempts.',
      'await sandbox.webhooks.idle();',
      'const deliveries = sandbox.webhooks',
      '  .list()',
      "  .map(({ event, state, attempts }) => [event, state, attempts].join(' '));",
      `expect(deliveries).toEqual(${literal(lines, '  ')});`,
    ];
  }

  #deliveries() {
    const ids = new Set(this.#attempts.map(({ deliveryId }) => deliveryId));
    return this.#sandbox.webhooks.list().filter(({ id }) => ids.has(id));
  }

  /** By event and payment, in order; 0 means no response. Leaves out lists of 200 only. */
  #listResponses(attempts: readonly Of<'attempt'>[]): Record<string, number[]> {
    const ids = new Set(attempts.map(({ deliveryId }) => deliveryId));
    const dropped = new Set(
      attempts
        .filter(({ fault }) => fault === 'drop')
        .map(({ deliveryId, attempt }) => `${deliveryId} ${attempt}`),
    );
    const responses: Record<string, number[]> = {};
    for (const { deliveryId, event, paymentId, attempt, status } of this.#receipts) {
      if (!ids.has(deliveryId) || dropped.has(`${deliveryId} ${attempt}`)) continue;
      const key = `${event} ${this.#findIndex(paymentId)}`;
      responses[key] ??= [];
      responses[key].push(Number(status ?? 0));
    }
    return Object.fromEntries(
      Object.entries(responses).filter(([, list]) => list.some((one) => one !== 200)),
    );
  }
}
