import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { poll } from './platform-side.js';
import { isSuccess, type Method } from './shop.js';
import { describeChanges, describeCondition, holds } from './state.js';
import { describeResponse, type PlacedOrder, type Trial } from './trial.js';

/** One journey of the check. */
export interface Journey<Name extends string = string> {
  readonly name: Name;
  /** The expected behaviour. */
  readonly expected: string;
  /** The page that says how. */
  readonly page: string;
  /** The methods to order with, or all of them. The journey uses the first one that the shop takes. */
  readonly methods?: readonly Method[];
  /** Whether the journey repeats an order. The shop must then accept the order's id. */
  readonly repeatsOrders?: boolean;
  run(trial: Trial, method: Method): Promise<void>;
}

/** Differs from every secret of a shop. */
const otherSecret = `${randomUUID()}${randomUUID()}`;

/** Milliseconds before now of a delivery that somebody has recorded. The tolerance is five minutes. */
const recordedBefore = 600_000;

/** How long the platform's response takes while the event is already on its way. */
const slowResponse = { slow: '2s' };

/**
 * Two, because the SDK resends a request once, with the same key, if its idle connection may have been closed.
 * Only the second loss reaches a retry of the shop.
 */
const lostResponses = 2;

/** Milliseconds to wait for a second payment, which must not follow. */
const lateWork = 1_500;

/** More than the attempts of a call. */
const everyAttempt = 20;

/** How often a customer repeats an order, and after how long, in milliseconds. */
const repetitions = { times: 8, every: 1_000 };

const journeysInOrder = [
  {
    name: 'paid',
    expected: 'an order is unpaid until the webhook arrives, and paid when the shop acknowledges it',
    page: 'webhooks',
    async run(trial, method) {
      const placed = await trial.place(method);
      if (placed.payments.length === 0) return;
      if (placed.payments[0]?.status === 'waiting_payment') {
        await trial.deliverExpectingSuccess(placed, 'transaction.waiting_payment');
        await trial.mustStayUnpaid(placed, 'nobody has paid it');
      }
      await trial.pay(placed);
      if (await trial.isPaid(placed)) return;
      if (!(await trial.becomesPaid(placed)))
        trial.fails(
          `The order is not paid (${describeCondition(trial.shop.description.paid)}) after a genuine transaction.paid.`,
        );
      else if (!trial.isQueued)
        trial.fails(
          'The shop acknowledges a webhook before the order is paid. If its process dies in between, the event is lost. Respond after the work. If the shop records events in a queue first, say so with queued.',
        );
    },
  },
  {
    name: 'exact-body',
    expected: 'the signature is checked over the bytes that arrive',
    page: 'webhook-problems',
    async run(trial, method) {
      const placed = await trial.place(method);
      const body = await trial.paidBody(placed);
      if (body === undefined) return;
      const formatted = JSON.stringify(JSON.parse(body), undefined, 2).replace('"event"', '"\\u0065vent"');
      const response = await trial.shop.deliver(formatted, trial.platform.sign(formatted));
      const signed = 'a signed body with spaces and escapes.';
      if (!trial.mustAccept(response, `${signed} Verify the raw body, before any parser.`)) return;
      if (!(await trial.becomesPaid(placed))) trial.fails(`The order is not paid after ${signed}`);
    },
  },
  {
    name: 'duplicate',
    expected: 'an event that arrives again has no second effect',
    page: 'exactly-once',
    async run(trial, method) {
      const placed = await trial.place(method);
      await trial.pay(placed);
      await trial.becomesPaid(placed);
      const once = await trial.state(placed);
      await trial.deliverExpectingSuccess(placed, 'transaction.paid');
      const changes = describeChanges(once, await settledState(trial, placed));
      if (changes !== '') trial.fails(`The second delivery of an event has an effect: ${changes}.`);
    },
  },
  {
    name: 'concurrent-duplicates',
    expected: 'copies of an event that arrive at the same time have one effect',
    page: 'exactly-once',
    async run(trial, method) {
      const [single, several] = [await trial.place(method), await trial.place(method)];
      const effectOf = async (placed: PlacedOrder, copies: number) => {
        const before = await trial.state(placed);
        if (copies === 1) await trial.pay(placed);
        else await payConcurrently(trial, placed, copies);
        if (!(await trial.becomesPaid(placed))) trial.fails('The order is not paid after its events.');
        return describeChanges(before, await settledState(trial, placed));
      };
      const [one, five] = [await effectOf(single, 1), await effectOf(several, 5)];
      if (one !== five)
        trial.fails(
          `Five copies at the same time have another effect (${five || 'none'}) than one (${one || 'none'}).`,
        );
    },
  },
  {
    name: 'forged',
    expected: 'only a genuine, recent delivery is accepted',
    page: 'webhook-signatures',
    async run(trial, method) {
      const placed = await trial.place(method);
      const isOpen = placed.payments[0]?.status !== 'paid';
      const known = await trial.bodyOf(placed, isOpen ? 'transaction.waiting_payment' : 'transaction.paid');
      if (known === undefined) return;
      // The payment stays open meanwhile: a shop may ask the platform for its status.
      const body = JSON.stringify({ ...JSON.parse(known), event: 'transaction.paid', status: 'paid' });
      const { platform, shop } = trial;
      const { 'content-type': type } = platform.sign(body);
      const deliveries = [
        ['without a signature', body, { 'content-type': String(type) }],
        ['with a signature of another secret', body, platform.sign(body, { secret: otherSecret })],
        ['with an empty signature', body, { ...platform.sign(body), 'x-service-signature': '' }],
        ['with a part of its signature', body, withPartOfSignature(platform.sign(body))],
        ['whose body was changed', `${body} `, platform.sign(body)],
        ['that was signed ten minutes ago', body, platform.sign(body, { at: Date.now() - recordedBefore })],
      ] as const;
      for (const [kind, sent, headers] of deliveries) {
        const response = await shop.deliver(sent, headers);
        if (isSuccess(response))
          trial.fails(
            `The shop ${describeResponse(response)} to a delivery ${kind}. Verify each delivery, and respond with a 4xx.`,
          );
        if (isOpen && !(await trial.mustStayUnpaid(placed, `it got only a delivery ${kind}`))) return;
      }
      await trial.pay(placed);
      if (!(await trial.becomesPaid(placed)))
        trial.fails(
          'The genuine event has no effect after forged ones. Remember an event only after its signature is checked.',
        );
    },
  },
  {
    name: 'unknown-event',
    expected: 'an event that the shop does not know is acknowledged, and has no effect',
    page: 'events',
    async run(trial, method) {
      const placed = await trial.place(method);
      const [payment] = placed.payments;
      if (payment === undefined) return;
      const isPaid = payment.status === 'paid';
      const known = await trial.bodyOf(placed, isPaid ? 'transaction.paid' : 'transaction.waiting_payment');
      if (known === undefined) return;
      const body = JSON.stringify({ ...JSON.parse(known), event: 'transaction.reviewed' });
      const response = await trial.shop.deliver(body, trial.platform.sign(body));
      trial.mustAccept(
        response,
        'the event transaction.reviewed. The platform can add events, and sends those again that are not acknowledged.',
      );
      if (!isPaid) await trial.mustStayUnpaid(placed, 'its only event is not transaction.paid');
    },
  },
  {
    name: 'refund',
    expected: 'a refunded order is no longer paid, and a late event does not change that',
    page: 'refunds',
    async run(trial, method) {
      const placed = await trial.place(method);
      const [payment] = placed.payments;
      if (payment === undefined) return;
      await trial.pay(placed);
      if (!(await trial.becomesPaid(placed))) return trial.fails('The order is not paid before its refund.');
      await trial.platform.act(payment.id, 'refund');
      await trial.deliverExpectingSuccess(placed, 'transaction.refunded');
      const { refunded } = trial.shop.description;
      const seen = await poll(async () => trial.isRefunded(await trial.state(placed)));
      if (!seen)
        return trial.fails(
          refunded === undefined
            ? 'The order is still paid after transaction.refunded. If it shows the refund in another field, name that with refunded.'
            : `The order is not refunded (${describeCondition(refunded)}) after transaction.refunded.`,
        );
      await trial.deliver(placed, 'transaction.paid');
      if (!trial.isRefunded(await settledState(trial, placed)))
        trial.fails(
          'A late transaction.paid makes the refunded order paid again. Events can arrive in any order.',
        );
    },
  },
  {
    name: 'late-paid',
    expected: 'an order whose refund arrives before its payment does not become paid',
    page: 'webhooks',
    methods: ['pix', 'boleto'],
    async run(trial, method) {
      const placed = await trial.place(method);
      const [payment] = placed.payments;
      if (payment === undefined) return;
      await trial.platform.pay(payment);
      await trial.platform.act(payment.id, 'refund');
      await trial.deliverExpectingSuccess(placed, 'transaction.refunded');
      await trial.deliver(placed, 'transaction.paid');
      if (!trial.isRefunded(await settledState(trial, placed)))
        trial.fails(
          'The order is paid, although its transaction.refunded arrived before its transaction.paid.',
        );
    },
  },
  {
    name: 'expired',
    expected: 'an expired order is not paid, and the shop hides its Pix code',
    page: 'pix',
    methods: ['pix', 'boleto'],
    async run(trial, method) {
      const placed = await trial.place(method);
      const [payment] = placed.payments;
      if (payment === undefined) return;
      await trial.platform.act(payment.id, 'expire');
      await trial.deliverExpectingSuccess(placed, 'transaction.expired');
      await trial.mustStayUnpaid(placed, 'its payment has expired');
      const code = await trial.platform.pixCodeOf(payment.id);
      if (code === undefined || !trial.shop.repeats(method)) return;
      const repeated = await trial.tryToPlace(method, undefined, placed.order);
      if (isSuccess(repeated.response) && JSON.stringify(repeated.response.json).includes(code))
        trial.fails(
          'The response to a repeated order still shows the Pix code of its expired payment. Show the code only while the order can be paid.',
        );
    },
  },
  {
    name: 'declined',
    expected: 'an order with a declined card is not paid, and makes one payment',
    page: 'cards',
    methods: ['card'],
    async run(trial) {
      const placed = await trial.tryToPlace('card', 'refused');
      trial.checkPayments(placed.payments, 'card');
      const [payment] = placed.payments;
      if (payment === undefined)
        return trial.fails('The order made no payment. Use {cardToken} or {cardNumber} in the request.');
      const isPaidAnswer = holds(trial.shop.description.paid, placed.response.json);
      if (isPaidAnswer)
        trial.fails('The response to the order says paid, although the issuer declined the card.');
      const state = await trial.shop.state(placed.id, placed.order);
      // A shop can also respond to a declined card with an error, and keep no order.
      if (isSuccess(state)) await trial.mustStayUnpaid(placed, 'the issuer declined the card');
      const body = await trial.bodyOf(placed, 'transaction.refused');
      if (body === undefined) return;
      const response = await trial.shop.deliver(body, trial.platform.sign(body));
      trial.mustAccept(response, 'transaction.refused.');
      if (isSuccess(state)) await trial.mustStayUnpaid(placed, 'the issuer declined the card');
    },
  },
  {
    name: 'early-event',
    expected: 'an event that arrives before the response to the order still pays it',
    page: 'webhooks',
    async run(trial, method) {
      const listNew = await trial.watchPayments();
      const end = await trial.platform.loseResponses(1, slowResponse);
      const placing = trial.tryToPlace(method);
      try {
        const [payment] = await poll(listNew, { until: (made) => made.length > 0 });
        if (payment === undefined) return trial.fails('An order made no payment within five seconds.');
        await trial.platform.pay(payment);
        const body = await trial.platform.bodyOf(payment.id, 'transaction.paid');
        if (body === undefined) return;
        const early = await trial.shop.deliver(body, trial.platform.sign(body));
        const placed = await placing;
        trial.checkPayments(placed.payments, method);
        // The platform sends an event again that the shop has not acknowledged.
        if (!isSuccess(early)) await trial.deliverExpectingSuccess(placed, 'transaction.paid');
        if (!(await trial.becomesPaid(placed)))
          trial.fails(
            isSuccess(early)
              ? 'The shop acknowledged an event before it had the response to its order, and the order is not paid. Record the order before you create its payment, and find it by externalReference.'
              : 'The order is not paid after its event, which first arrived before the response to the order.',
          );
      } finally {
        await placing;
        await end();
      }
    },
  },
  {
    name: 'lost-response',
    expected: 'a lost response leads to one payment, and the order can be paid',
    page: 'reliability',
    run: (trial, method) => orderThroughLoss(trial, method, lostResponses),
  },
  {
    name: 'gateway-timeout',
    expected: 'a 504 after the charge leads to one payment, and the order can be paid',
    page: 'reliability',
    run: (trial, method) => orderThroughLoss(trial, method, 1, { status: 504 }),
  },
  {
    name: 'outage',
    expected: 'an order whose every response is lost is charged once, although the customer repeats it',
    page: 'reliability',
    repeatsOrders: true,
    async run(trial, method) {
      const listNew = await trial.watchPayments();
      const end = await trial.platform.loseResponses(everyAttempt);
      const placed = await trial.tryToPlace(method).finally(end);
      await payAfterLoss(trial, method, placed, listNew);
    },
  },
  {
    name: 'double-click',
    expected: 'two requests for the same order at the same time make one payment',
    page: 'reliability',
    repeatsOrders: true,
    async run(trial, method) {
      const listNew = await trial.watchPayments();
      const order = randomUUID();
      await Promise.all([
        trial.tryToPlace(method, undefined, order),
        trial.tryToPlace(method, undefined, order),
      ]);
      // A shop with a queue makes the payments after its responses.
      const payments = await poll(listNew, { longest: lateWork, until: (made) => made.length > 1 });
      trial.checkPayments(payments, method);
    },
  },
] as const satisfies readonly Journey[];

export type JourneyName = (typeof journeysInOrder)[number]['name'];

export const journeys: readonly Journey<JourneyName>[] = journeysInOrder;

/** Some shops compare only the length of the signature that arrives. */
const withPartOfSignature = ({
  'x-service-signature': signature = '',
  ...headers
}: Record<string, string>) => ({
  ...headers,
  'x-service-signature': signature.slice(0, 16),
});

/** Waits for late work, and returns the order's state. */
async function settledState(trial: Trial, placed: PlacedOrder): Promise<unknown> {
  await setTimeout(300);
  return trial.state(placed);
}

/** Pays an order, and delivers copies of the event at once. The platform repeats those that are not acknowledged. */
async function payConcurrently(trial: Trial, placed: PlacedOrder, copies: number): Promise<void> {
  const [payment] = placed.payments;
  if (payment === undefined) return;
  await trial.platform.pay(payment);
  const response = await trial.deliver(placed, 'transaction.paid', copies);
  if (response !== undefined && !isSuccess(response))
    await trial.deliverExpectingSuccess(placed, 'transaction.paid');
}

/** Places an order while responses are lost, and pays it. */
async function orderThroughLoss(trial: Trial, method: Method, times: number, fault?: unknown): Promise<void> {
  const end = await trial.platform.loseResponses(times, fault);
  try {
    const listNew = await trial.watchPayments();
    const placed = await trial.tryToPlace(method);
    await payAfterLoss(trial, method, placed, listNew);
  } finally {
    await end();
  }
}

/**
 * Repeats an order as a customer does until the shop accepts it, and checks that it has one payment, with
 * which it is paid.
 */
async function payAfterLoss(
  trial: Trial,
  method: Method,
  placed: PlacedOrder,
  listNew: () => Promise<PlacedOrder['payments']>,
): Promise<void> {
  let last = placed;
  for (let times = 0; times < repetitions.times && !isSuccess(last.response); times++) {
    if (!trial.shop.repeats(method)) break;
    await setTimeout(repetitions.every);
    last = await trial.tryToPlace(method, undefined, placed.order);
  }
  const payments = await listNew();
  trial.checkPayments(payments, method);
  if (payments.length === 0) return trial.fails('The order made no payment.');
  const advice =
    'Retry with the same idempotency key: the platform returns the payment. Respond to a repeated order with the order, so that the customer can pay it.';
  if (!trial.mustAccept(last.response, `an order whose payment exists. ${advice}`)) return;
  await trial.pay({ ...last, payments });
  if (!(await trial.becomesPaid(last)))
    trial.fails(
      'The order is not paid after its event. Keep the order when the outcome of its payment is unknown.',
    );
}
