import { isRecord } from '../../src/validation/record.js';
import type { Timeline } from '../timeline/timeline.js';
import type { SandboxControl } from './control.js';
import type { SandboxWebhooks } from './webhooks.js';

/** These methods change nothing. The timeline lists the calls of all others. */
const reads: ReadonlySet<string> = new Set([
  'attempts',
  'balances',
  'details',
  'documents',
  'idle',
  'list',
  'retrieve',
  'unresolved',
]);

type Method = (...args: readonly unknown[]) => unknown;

/** A merchant is named by its client id. Callers often pass its whole credentials. */
const withoutCredentials = (value: unknown): unknown =>
  isRecord(value) && 'clientSecret' in value ? { clientId: value.clientId } : value;

/** The recorded arguments of calls whose arguments contain a secret, a function or a long string. */
const shownArguments: Readonly<Record<string, (...args: readonly unknown[]) => readonly unknown[]>> = {
  'webhooks.register': (endpoint) => [(endpoint as { url?: unknown } | undefined)?.url],
  'webhooks.connect': () => [],
  'certificates.issue': () => [],
  'domains.verify': (id) => [id],
};

export const withRecordedControlCalls = (control: SandboxControl, timeline: Timeline): SandboxControl =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(control).map(([group, methods]) => [group, recorded(group, methods, timeline)]),
    ) as unknown as SandboxControl,
  );

export const withRecordedWebhookCalls = (webhooks: SandboxWebhooks, timeline: Timeline): SandboxWebhooks =>
  recorded('webhooks', webhooks, timeline);

/** Copies getters as getters. */
function recorded<Group extends object>(group: string, methods: Group, timeline: Timeline): Group {
  const properties = Object.getOwnPropertyDescriptors(methods) as Record<string, PropertyDescriptor>;
  for (const [name, { value }] of Object.entries(properties)) {
    if (typeof value !== 'function' || reads.has(name)) continue;
    const call = `${group}.${name}`;
    const record: Method = (...args) =>
      timeline.noteCall(call, shownArguments[call]?.(...args) ?? args.map(withoutCredentials), () =>
        (value as Method)(...args),
      );
    properties[name] = { value: record, enumerable: true };
  }
  return Object.freeze(Object.defineProperties({}, properties) as Group);
}
