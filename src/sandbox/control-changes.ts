import type { ChangeKind, Changes } from './changes.js';
import type { SandboxControl } from './control.js';
import type { JournalRequest } from './http/journal.js';

/** What the methods of each control change. */
const changedBy = {
  payments: ['payments', 'deliveries'],
  submerchants: ['submerchants'],
  onboarding: ['onboarding', 'submerchants'],
  withdrawals: ['withdrawals'],
  domains: ['domains'],
  certificates: ['certificates'],
  webhooks: ['endpoints'],
  features: ['merchants'],
  oauth: ['merchants'],
  credentials: ['merchants'],
} as const satisfies Record<keyof SandboxControl, readonly ChangeKind[]>;

/** Methods that only read, and those that say themselves what they change. */
const silent: ReadonlySet<string> = new Set([
  'list',
  'retrieve',
  'details',
  'documents',
  'unresolved',
  'attempts',
  'idle',
  'redeliver',
]);

/** What the operations of each namespace change. */
const changedByOperations: Readonly<Record<string, readonly ChangeKind[]>> = {
  payments: ['payments', 'deliveries'],
  submerchants: ['submerchants', 'withdrawals'],
  onboarding: ['onboarding'],
  domains: ['domains'],
  certificates: ['certificates'],
  webhooks: ['endpoints'],
  oauth: ['merchants'],
};

/** What a request may have changed. */
export function changesByRequest({
  method,
  operation,
}: Pick<JournalRequest, 'method' | 'operation'>): readonly ChangeKind[] {
  return method === 'GET' ? [] : (changedByOperations[(operation ?? '').replace(/\..*/, '')] ?? []);
}

/** The same controls; each action is noted as a change when it is done. */
export function noting(control: SandboxControl, changes: Changes): SandboxControl {
  const names = Object.keys(control) as (keyof SandboxControl)[];
  return Object.freeze(
    Object.fromEntries(names.map((name) => [name, notingPart(control[name], changes, changedBy[name])])),
  ) as unknown as SandboxControl;
}

/** The same part of the sandbox; each of its actions is noted when it is done. */
export function notingPart<Part extends object>(
  part: Part,
  changes: Changes,
  kinds: readonly ChangeKind[],
): Part {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(part)).map(([name, property]) => {
    const method: unknown = property.value;
    if (typeof method !== 'function' || silent.has(name)) return [name, property];
    const noted = (...given: unknown[]) => {
      const result: unknown = method(...given);
      if (result instanceof Promise) void result.then(note, note);
      else note();
      return result;
    };
    return [name, { ...property, value: noted }];
  });
  const note = () => changes.note(...kinds);
  return Object.freeze(Object.defineProperties({}, Object.fromEntries(properties)) as Part);
}
