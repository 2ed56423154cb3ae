import type { Sandbox } from '../../control/sandbox-interface.js';
import type { JournalRequest } from '../../http/journal-entry.js';
import { day, hour, minute } from '../../time/units.js';
import type { TimelineEntry } from '../../timeline/timeline.js';
import type { Receivers } from './deliveries.js';
import { Expression, literal, template } from './literal.js';
import { type BodyContext, writeRepeatedBody } from './repeated-body.js';
import { writeFaultLine, writeSendLines } from './requests.js';
import { hasUpsell, type Selection } from './selection.js';

/** The shortest wait that the test copies from a running clock, in milliseconds. */
const shortest = 1_000;

const units = { d: day, h: hour, m: minute, s: 1_000 } as const;

type Fault = Extract<TimelineEntry, { kind: 'fault' }>;

export class Steps {
  readonly #sandbox: Sandbox;
  readonly #selection: Selection;
  readonly #receivers: Receivers;
  readonly #ids = new Map<string, Expression>();
  /** The constants for bodies that are sent more than once, by the body's JSON. */
  readonly #bodies = new Map<string, { readonly name: string; readonly source: string }>();
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
    const place = (id: string, text: string) => this.#ids.set(id, new Expression(text));
    for (const [index, id] of made.entries()) place(id, `payment(${index})`);
    const { control } = sandbox;
    for (const [index, { internalId }] of control.submerchants.list().entries())
      place(internalId, `sandbox.control.submerchants.list()[${index}].internalId`);
    for (const [index, { registration_id: id }] of control.onboarding.list().entries())
      place(id, `sandbox.control.onboarding.list()[${index}].registration_id`);
    this.#context = { ids: this.#ids, upsellToken: () => this.#nextToken() };
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
    return Array.from(this.#bodies.values(), ({ name, source }) => `const ${name} = ${source};`);
  }

  #describeStep(entry: TimelineEntry): string[] {
    if (entry.kind === 'control') return this.#controlLines(entry.call, entry.args);
    if (entry.kind !== 'request') return [];
    const request = this.#selection.findRequest(entry.request);
    if (request === undefined) return [`// Request ${entry.request} is not in the journal any more.`];
    if (request.operation?.startsWith('webhooks.')) {
      return [`// ${request.method} ${request.path} is left out: here the receivers are functions.`];
    }
    const fault = this.#faults.get(entry.request);
    const context = this.#context;
    const sent = writeSendLines({
      request,
      context,
      name: this.#isParent(request) ? `response${request.number}` : undefined,
      bodyName: this.#bodies.get(JSON.stringify(request.body))?.name,
    });
    return [...(fault === undefined ? [] : [writeFaultLine(fault, request)]), ...sent];
  }

  #controlLines(call: string, args: readonly unknown[]): string[] {
    const shown = args.map((value) => (typeof value === 'string' ? template(value, this.#ids) : value));
    if (call === 'webhooks.redeliver') {
      const index = this.#sandbox.webhooks.list().findIndex(({ id }) => id === args[0]);
      return [
        'await sandbox.webhooks.idle();',
        `sandbox.webhooks.redeliver(sandbox.webhooks.list()[${index}].id);`,
      ];
    }
    // Skips a setting of an endpoint that is not in the test.
    if (call.startsWith('webhooks.') && !this.#ids.has(String(args[0]))) return [];
    // Drops the merchant from `features` calls, because the test has only one.
    const own = call.startsWith('features.') ? shown.slice(0, 1) : shown;
    const before = call.startsWith('webhooks.') ? ['await sandbox.webhooks.idle();'] : [];
    return [...before, `sandbox.control.${call}(${own.map((value) => literal(value, '  ')).join(', ')});`];
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
    const counts = new Map<string, number>();
    for (const { body, path } of this.#requests()) {
      if (body === undefined || path.startsWith('/v1/webhooks')) continue;
      const json = JSON.stringify(body);
      counts.set(json, (counts.get(json) ?? 0) + 1);
    }
    for (const request of this.#requests()) {
      const json = JSON.stringify(request.body);
      if ((counts.get(json) ?? 0) < 2 || this.#bodies.has(json) || usesToken(request)) continue;
      const source = literal(writeRepeatedBody(request, this.#context));
      // A constant cannot contain values that exist only while the test runs.
      if (source.includes('sandbox.') || source.includes('payment(')) continue;
      this.#bodies.set(json, { name: `body${this.#bodies.size + 1}`, source });
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
    if (next === undefined) return new Expression("'the token is not known'");
    this.#tokens.push(next.number);
    return new Expression(`response${next.number}.body.upsell.token`);
  }
}

const usesToken = ({ body }: JournalRequest): boolean =>
  JSON.stringify(body ?? null).includes('"upsellToken"');
