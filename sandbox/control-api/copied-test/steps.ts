import { isRecord } from '../../../src/validation/record.js';
import type { Sandbox } from '../../control/sandbox-interface.js';
import type { JournalRequest } from '../../http/journal-entry.js';
import { day, hour, minute } from '../../time/units.js';
import type { TimelineEntry } from '../../timeline/timeline.js';
import type { Receivers } from './deliveries.js';
import { Expression, ids, literal, template } from './literal.js';
import { refuse } from './refusal.js';
import { type BodyContext, writeRepeatedBody } from './repeated-body.js';
import { writeFaultLine, writeSendLines } from './requests.js';
import { hasUpsell, type Selection } from './selection.js';

/** The shortest wait that the test copies from a running clock, in milliseconds. */
const shortest = 1_000;

const units = { d: day, h: hour, m: minute, s: 1_000 } as const;

/** The records of the control, each with the name of its id. */
const recordIds = {
  submerchants: 'internalId',
  onboarding: 'registration_id',
  withdrawals: 'withdraw_id',
  domains: 'id',
  certificates: 'id',
} as const;

type Fault = Extract<TimelineEntry, { kind: 'fault' }>;

export class Steps {
  readonly #sandbox: Sandbox;
  readonly #selection: Selection;
  readonly #receivers: Receivers;
  readonly #ids = new Map<string, Expression>();
  /** The constants for bodies that are sent more than once, by name. */
  readonly #bodies = new Map<string, string>();
  /** By the request's number. */
  readonly #bodyNames = new Map<number, string>();
  /** The numbers of the requests whose upsell tokens are used later, in the order of their use. */
  readonly #tokens: number[] = [];
  readonly #context: BodyContext;
  /** The first fault of each request, by the request's number. */
  readonly #faults = new Map<number, Fault>();
  #lastUse: number | undefined;
  #time: number;

  /** @param made the ids of the created payments, in the order of creation */
  constructor(sandbox: Sandbox, selection: Selection, receivers: Receivers, made: readonly string[]) {
    this.#sandbox = sandbox;
    this.#selection = selection;
    this.#receivers = receivers;
    this.#time = Date.parse(selection.entries[0]?.at ?? '');
    for (const entry of selection.entries)
      if (entry.kind === 'fault' && entry.request !== undefined && !this.#faults.has(entry.request))
        this.#faults.set(entry.request, entry);
    for (const [index, id] of made.entries()) this.#ids.set(id, new Expression(`payment(${index})`));
    this.#placeIds();
    const { payments } = sandbox.control;
    const controlled = new Set(
      selection.entries.flatMap((entry) => (entry.kind === 'control' ? entry.args : [])),
    );
    this.#context = {
      ids: this.#ids,
      upsellToken: () => this.#nextToken(),
      findDetails: payments.details,
      isControlled: (id) => controlled.has(id),
    };
  }

  /** The test's sandbox has none of the records of other merchants. */
  #placeIds(): void {
    for (const [group, name] of Object.entries(recordIds)) {
      const records = this.#sandbox.control[group as keyof typeof recordIds].list() as unknown[];
      const own = records.map((record) => String((record as Record<string, unknown>)[name]));
      for (const [index, id] of own.filter((id) => !this.#selection.foreign.has(id)).entries())
        this.#ids.set(id, new Expression(`sandbox.control.${group}.list()[${index}].${name}`));
    }
  }

  /** All lines except the final comparisons. */
  lines(): string[] {
    const { entries } = this.#selection;
    this.#nameBodies();
    const blocks: string[][] = [this.#receivers.faults()];
    for (const entry of entries) {
      if (entry.kind === 'attempt') {
        const line = this.#receivers.connect(entry);
        // Inserted before the step that causes the endpoint's first delivery.
        if (line !== undefined) blocks.at(-1)?.unshift(line);
        if (line !== undefined)
          for (const [id, text] of this.#receivers.ids) this.#ids.set(id, new Expression(text));
      }
      const step = this.#describeStep(entry);
      if (step.length > 0) blocks.push([...this.#advance(Date.parse(entry.at), shortest), ...step]);
    }
    const end = Math.max(
      ...entries.map((entry) => Date.parse(entry.at) + (entry.kind === 'clock' ? entry.by : 0)),
    );
    blocks.push(this.#advance(end, 1));
    const shown = blocks.filter((block) => block.length > 0).map((block) => block.join('\n  '));
    return shown.flatMap((block, index) => (index === 0 ? [block] : ['', block]));
  }

  bodies(): string[] {
    return Array.from(this.#bodies, ([name, source]) => `const ${name} = ${source};`);
  }

  #describeStep(entry: TimelineEntry): string[] {
    if (entry.kind === 'control') return this.#controlLines(entry.call, entry.args);
    if (entry.kind !== 'request') return [];
    const request = this.#selection.findRequest(entry.request);
    if (request === undefined) return [];
    if (request.operation?.startsWith('webhooks.')) {
      return [`// ${request.method} ${request.path} is left out: here the receivers are functions.`];
    }
    const fault = this.#faults.get(entry.request);
    const context = this.#context;
    const sent = writeSendLines({
      request,
      context,
      name: this.#isParent(request) ? `response${request.number}` : undefined,
      bodyName: this.#bodyNames.get(request.number),
    });
    return [...(fault === undefined ? [] : [writeFaultLine(fault, request)]), ...sent];
  }

  #controlLines(call: string, args: readonly unknown[]): string[] {
    const shown = args.map((value) => {
      // The test has one merchant.
      if (isRecord(value)) return { ...value, clientId: undefined };
      return typeof value === 'string' ? template(value, this.#ids) : (this.#ids.get(String(value)) ?? value);
    });
    if (call === 'webhooks.redeliver') return this.#receivers.redeliver(String(args[0]));
    // Skips a setting of an endpoint that is not in the test.
    if (call.startsWith('webhooks.') && !this.#ids.has(String(args[0]))) return [];
    if (call !== 'payments.resolve' && typeof shown[0] === 'string' && shown[0].match(ids) !== null)
      refuse(`the sandbox does not remember to have created the record of a call of control.${call}`);
    const own = call.startsWith('features.') ? shown.slice(0, 1) : shown;
    const before = call.startsWith('webhooks.') ? ['await sandbox.webhooks.idle();'] : [];
    const isAsync = call === 'certificates.create' ? 'await ' : '';
    return [
      ...before,
      `${isAsync}sandbox.control.${call}(${own.map((value) => literal(value, '  ')).join(', ')});`,
    ];
  }

  #advance(to: number, least: number): string[] {
    const by = to - this.#time;
    if (by < least) return [];
    this.#time = to;
    const [unit, length] = Object.entries(units).find(([, one]) => by % one === 0) ?? ['', 0];
    const duration = length === 0 ? by : `${by / length}${unit}`;
    return [`await sandbox.clock.advance(${literal(duration)});`];
  }

  #requests(): JournalRequest[] {
    return this.#selection.entries.flatMap((entry) => {
      const request = entry.kind === 'request' ? this.#selection.findRequest(entry.request) : undefined;
      return request === undefined ? [] : [request];
    });
  }

  #nameBodies(): void {
    const numbers = new Map<string, number[]>();
    for (const request of this.#requests()) {
      if (request.body === undefined || request.path.startsWith('/v1/webhooks') || usesToken(request))
        continue;
      const source = literal(writeRepeatedBody(request, this.#context));
      // A constant cannot contain values that exist only while the test runs.
      if (source.includes('sandbox.') || source.includes('payment(')) continue;
      numbers.set(source, [...(numbers.get(source) ?? []), request.number]);
    }
    for (const [source, users] of numbers) {
      if (users.length < 2) continue;
      const name = `body${this.#bodies.size + 1}`;
      this.#bodies.set(name, source);
      for (const number of users) this.#bodyNames.set(number, name);
    }
  }

  /** Checks whether a later request uses the upsell token of a response. */
  #isParent(request: JournalRequest): boolean {
    return hasUpsell(request) && request.number < this.#lastTokenUse();
  }

  /** 0 if no request uses an upsell token. */
  #lastTokenUse(): number {
    this.#lastUse ??= this.#requests().findLast(usesToken)?.number ?? 0;
    return this.#lastUse;
  }

  /** Returns the upsell token of the latest response whose token is still unused. */
  #nextToken(): Expression {
    const parents = this.#requests().filter((request) => hasUpsell(request) && this.#isParent(request));
    const next = parents.findLast(({ number }) => !this.#tokens.includes(number)) ?? parents.at(-1);
    if (next === undefined) return refuse('the sandbox does not remember the upsell token');
    this.#tokens.push(next.number);
    return new Expression(`response${next.number}.body.upsell.token`);
  }
}

const usesToken = ({ body }: JournalRequest): boolean =>
  JSON.stringify(body ?? null).includes('"upsellToken"');
