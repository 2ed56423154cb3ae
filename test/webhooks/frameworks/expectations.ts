/** Defines the expected behaviour of every framework, in one shared table. */
import { createReceiver, memoryDedupe, type Receiver, type ReceiverOptions } from 'payment-platform/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  announced,
  begun,
  endless,
  type Notification,
  notification,
  path,
  reserialised,
  type Sent,
  secret,
  splitInsideACharacter,
  whole,
} from './deliveries.js';

/** The response as the sender sees it. */
export interface SentResponse {
  readonly status: number;
  readonly body: string;
}

/** An application that contains a receiver. */
export interface Application {
  /** Sends a delivery; undefined if the client does not wait for the response. */
  deliver(sent: Sent): Promise<SentResponse | undefined>;
  /** Sends deliveries one after the other over a keep-alive connection. */
  deliverOnOneConnection?(all: readonly Sent[]): Promise<(SentResponse | undefined)[]>;
  close?(): unknown;
}

export type Start = (receiver: Receiver) => Application | Promise<Application>;

/** A row of the table: the deliveries, in order, and the expected results. */
interface Row {
  readonly title: string;
  readonly options?: Partial<ReceiverOptions>;
  readonly handler?: 'throws once' | 'hangs';
  /** Deliveries, and the moment when a hanging handler ends. */
  readonly steps: readonly (Sent | 'the handler ends')[];
  readonly statuses: readonly (number | undefined)[];
  /** The names of the called hooks, with their main argument. */
  readonly hookCalls: readonly string[];
  readonly effects: number;
  /** Whether the row needs an unread stream, which some frameworks have already read. */
  readonly isOfTheStream?: true;
}

const maxBody = 5000;
/** A size above the default limit of every framework. */
const beyondEveryLimit = 3_000_000;

const steps = (make: (paid: Notification) => Row['steps']) => make(notification());

const rows = (): readonly Row[] => [
  {
    title: 'a valid delivery is handled',
    steps: [whole(notification())],
    statuses: [200],
    hookCalls: [],
    effects: 1,
  },
  {
    title: 'the secret function receives the path and the query as they were sent',
    options: {
      secret: ({ url = '' }) =>
        [path, `${path}?shop=s%C3%A3o%207&b=1%2B1`].includes(url) ? secret : undefined,
    },
    steps: [
      { ...whole(notification()), path: `${path}?shop=s%C3%A3o%207&b=1%2B1` },
      { ...whole(notification()), path: `${path}?shop=8` },
    ],
    statuses: [200, 400],
    hookCalls: ['onRejected signature-mismatch'],
    effects: 1,
  },
  {
    title: 'a forged delivery is rejected with an empty body',
    steps: [whole(notification({ key: 'whsec_of_somebody_else' }))],
    statuses: [400],
    hookCalls: ['onRejected signature-mismatch'],
    effects: 0,
  },
  {
    title: 'a delivery without a signature is rejected',
    steps: [{ headers: { 'content-type': 'application/json' }, parts: [notification().body] }],
    statuses: [400],
    hookCalls: ['onRejected missing-timestamp'],
    effects: 0,
  },
  {
    title: 'a resend is acknowledged, but not handled again',
    steps: steps((paid) => [whole(paid), whole(paid)]),
    statuses: [200, 200],
    hookCalls: ['onDuplicate'],
    effects: 1,
  },
  {
    title: 'a re-serialised body is rejected',
    steps: [reserialised(notification())],
    statuses: [400],
    hookCalls: ['onRejected signature-mismatch'],
    effects: 0,
  },
  {
    title: 'an empty object instead of the body is rejected',
    steps: [{ ...whole(notification()), parts: [Buffer.from('{}')] }],
    statuses: [400],
    hookCalls: ['onRejected signature-mismatch'],
    effects: 0,
  },
  {
    title: 'a delivery in chunks that split a character is handled',
    steps: [splitInsideACharacter(notification())],
    statuses: [200],
    hookCalls: [],
    effects: 1,
  },
  {
    title: 'a body of exactly maxBody bytes is handled, and a longer one is rejected',
    steps: [whole(notification({ length: maxBody })), whole(notification({ length: maxBody + 1 }))],
    statuses: [200, 413],
    hookCalls: ['onRejected body-too-large'],
    effects: 1,
  },
  {
    title: 'a body whose Content-Length is too large is rejected before it is sent',
    isOfTheStream: true,
    steps: [announced(beyondEveryLimit)],
    statuses: [413],
    hookCalls: ['onRejected body-too-large'],
    effects: 0,
  },
  {
    title: 'a body that becomes too long is rejected before it ends',
    isOfTheStream: true,
    steps: [endless(maxBody + 1)],
    statuses: [413],
    hookCalls: ['onRejected body-too-large'],
    effects: 0,
  },
  {
    title: 'a client that sends a whole oversized body gets a 413',
    isOfTheStream: true,
    steps: [whole(notification({ length: beyondEveryLimit }))],
    statuses: [413],
    hookCalls: ['onRejected body-too-large'],
    effects: 0,
  },
  {
    title: 'a delivery whose body stalls is rejected at handlerTimeout',
    isOfTheStream: true,
    options: { handlerTimeout: 30 },
    steps: [begun(notification(), 'stalls')],
    statuses: [408],
    hookCalls: ['onRejected body-incomplete'],
    effects: 0,
  },
  {
    title: 'a delivery whose client hangs up in the middle of the body is not handled',
    isOfTheStream: true,
    steps: [begun(notification(), 'hangs up')],
    statuses: [undefined],
    hookCalls: ['onRejected body-incomplete'],
    effects: 0,
  },
  {
    title: 'a handler that throws is called again for the resend',
    handler: 'throws once',
    steps: steps((paid) => [whole(paid), whole(paid)]),
    statuses: [500, 200],
    hookCalls: ['onError handler'],
    effects: 1,
  },
  {
    title: 'a handler that outlasts handlerTimeout does not delay the response, and takes effect once',
    handler: 'hangs',
    options: { handlerTimeout: 30 },
    steps: steps((paid) => [whole(paid), whole(paid), 'the handler ends', whole(paid)]),
    statuses: [503, 503, 200],
    hookCalls: ['onDuplicate'],
    effects: 1,
  },
];

/** A receiver that records the results of its deliveries. */
export class Watched {
  readonly hookCalls: string[] = [];
  readonly errors: Error[] = [];
  /** The statuses in the reports for `onReceived`. */
  readonly reported: number[] = [];
  effects = 0;
  readonly receiver: Receiver;
  endHandler: () => void = () => undefined;
  #wake: () => void = () => undefined;

  constructor({ options, handler }: Pick<Row, 'options' | 'handler'> = {}) {
    const gate = new Promise<void>((resolve) => {
      this.endHandler = resolve;
    });
    let calls = 0;
    this.receiver = createReceiver({
      secret,
      maxBody,
      dedupe: memoryDedupe(),
      on: {
        'transaction.paid': async () => {
          calls++;
          if (handler === 'throws once' && calls === 1) throw new Error('the warehouse is closed');
          if (handler === 'hangs' && calls === 1) await gate;
          this.effects++;
        },
      },
      onRejected: ({ reason }) => this.#record(`onRejected ${reason}`),
      onDuplicate: () => this.#record('onDuplicate'),
      onReceived: ({ status }) => this.reported.push(status),
      onError: (error, { during }) => {
        this.errors.push(error as Error);
        this.#record(`onError ${during}`);
      },
      ...options,
    });
  }

  #record(line: string) {
    this.hookCalls.push(line);
    this.#wake();
  }

  /** Resolves after the given number of hook calls. */
  async untilHookCalls(count: number): Promise<void> {
    while (this.hookCalls.length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Creates another JSON request to the application. */
export const json = (path: string, body: string): Sent => ({
  path,
  headers: { 'content-type': 'application/json' },
  parts: [Buffer.from(body)],
});

/** Starts an application before the tests, with a receiver that each test replaces. */
export function application(start: Start) {
  let current = new Watched().receiver;
  let started: Application;
  beforeAll(async () => {
    started = await start({
      receive: (delivery, context) => current.receive(delivery, context),
      fetch: (request, context) => current.fetch(request, context),
    });
  });
  afterAll(() => started.close?.());
  return {
    deliver: (sent: Sent) => started.deliver(sent),
    deliverOnOneConnection: (all: readonly Sent[]) => started.deliverOnOneConnection?.(all),
    watch(row?: Pick<Row, 'options' | 'handler'>): Watched {
      const watched = new Watched(row);
      current = watched.receiver;
      return watched;
    },
  };
}

/** The differences between frameworks and platforms. */
export interface Peculiarities {
  /** Whether the framework reads the body, within its own limits and time, and keeps the bytes. */
  readonly bodyIsReadBefore?: boolean;
  /** The status for another method. 404 if only POST is routed to the receiver. */
  readonly otherMethods?: number;
  /** The framework's own status for an empty body, if it has one. */
  readonly emptyBody?: number;
}

/** Checks an application against the table. */
export function holdsTheTable(
  name: string,
  start: Start,
  { bodyIsReadBefore = false, otherMethods = 405, emptyBody }: Peculiarities = {},
): void {
  describe(name, () => {
    const { deliver, deliverOnOneConnection, watch } = application(start);

    const tested = rows().filter(({ isOfTheStream }) => !(isOfTheStream && bodyIsReadBefore));
    // Vitest would shorten `$title`.
    test.each(tested.map((row) => [row.title, row] as const))(
      '%s',
      async (_, { steps, statuses, hookCalls, effects, ...row }) => {
        const watched = watch(row);
        const responses: (SentResponse | undefined)[] = [];
        for (const step of steps) {
          if (step === 'the handler ends') watched.endHandler();
          else responses.push(await deliver(step));
        }
        await watched.untilHookCalls(hookCalls.length);
        expect(responses.map((response) => response?.status)).toEqual(statuses);
        expect(responses.map((response) => response?.body ?? '').join('')).toBe('');
        expect(watched.hookCalls).toEqual(hookCalls);
        expect(watched.effects).toBe(effects);
        // After every row, the application receives the next delivery.
        expect(await deliver(whole(notification()))).toMatchObject({ status: 200 });
        expect(watched.effects).toBe(effects + 1);
        // A client that hung up has no status.
        const reported = [...statuses.map((status) => status ?? expect.any(Number)), 200];
        await eventually(() => expect(watched.reported).toEqual(reported));
      },
    );

    test('a connection is kept alive between deliveries', async () => {
      const watched = watch();
      const [rejected, twice] = [notification({ key: 'whsec_of_somebody_else' }), notification()];
      const responses = await deliverOnOneConnection([rejected, twice, twice, notification()].map(whole));
      if (responses === undefined) return;
      expect(responses.map((response) => response?.status)).toEqual([400, 200, 200, 200]);
      expect(watched.effects).toBe(2);
    });

    test('a delivery without a body is rejected', async () => {
      const watched = watch();
      const { status } = (await deliver({ ...whole(notification()), parts: [] })) as SentResponse;
      expect(status).toBe(emptyBody ?? 400);
      if (emptyBody === undefined) expect(watched.hookCalls).toEqual(['onRejected signature-mismatch']);
      expect(watched.effects).toBe(0);
    });

    test(`a GET request returns a ${otherMethods}`, async () => {
      const watched = watch();
      expect(await deliver({ method: 'GET', headers: {}, parts: [] })).toMatchObject({
        status: otherMethods,
      });
      expect(watched.hookCalls).toEqual([]);
    });
  });
}

/** Checks that a parsed body causes a 500, and that `onError` names the line to change. */
export function saysWhoParsedTheBody(name: string, start: Start, line: string): void {
  describe(name, () => {
    const { deliver, watch } = application(start);

    test.each([
      ['whole', whole(notification())],
      ['in chunks', splitInsideACharacter(notification())],
    ])('a parsed delivery, sent %s, returns a 500, and onError names the line to change', async (_, sent) => {
      const watched = watch();
      expect(await deliver(sent)).toEqual({ status: 500, body: '' });
      expect(watched.hookCalls).toEqual(['onError body']);
      expect(watched.errors[0]).toMatchObject({
        reason: 'body-already-parsed',
        message: expect.stringContaining(line),
      });
      expect(watched.effects).toBe(0);
    });
  });
}
