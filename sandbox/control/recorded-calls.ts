import { paymentTransitionNames } from '../defaults/transitions.js';
import type { Timeline } from '../timeline/timeline.js';
import type { SandboxControl } from './control.js';
import type { ConnectOptions, EndpointRegistration, SandboxWebhooks } from './webhooks.js';

/** The calls of `control` that the timeline lists. */
const recordedControls = {
  payments: [...paymentTransitionNames, 'resolve'],
  submerchants: ['setStatus'],
  onboarding: ['approve', 'reject'],
  withdrawals: ['complete', 'fail'],
  webhooks: ['setStatus', 'remove'],
  features: ['enable', 'disable'],
  oauth: ['revokeTokens'],
  credentials: ['rotate'],
} as const satisfies { readonly [Name in keyof SandboxControl]?: readonly (keyof SandboxControl[Name])[] };

type Method = (...args: readonly unknown[]) => unknown;

export function withRecordedControlCalls(control: SandboxControl, timeline: Timeline): SandboxControl {
  const groups = Object.entries(recordedControls).map(([group, names]) => {
    const methods = control[group as keyof typeof recordedControls] as unknown as Record<string, Method>;
    const ours = names.map((name): [string, Method] => [
      name,
      (...args) => timeline.noteCall(`${group}.${name}`, args, () => methods[name]?.(...args)),
    ]);
    return [group, replaced(methods, Object.fromEntries(ours))];
  });
  return Object.freeze({ ...control, ...Object.fromEntries(groups) });
}

/** Leaves out secrets. */
export function withRecordedWebhookCalls(webhooks: SandboxWebhooks, timeline: Timeline): SandboxWebhooks {
  const note = <Result>(name: string, args: readonly unknown[], run: () => Result) =>
    timeline.noteCall(`webhooks.${name}`, args, run);
  const own: Pick<SandboxWebhooks, 'register' | 'connect' | 'redeliver'> = {
    register: (endpoint: EndpointRegistration) =>
      note('register', [endpoint?.url], () => webhooks.register(endpoint)),
    connect: (receive, options?: ConnectOptions) =>
      note('connect', [], () => webhooks.connect(receive, options)),
    redeliver: (id) => note('redeliver', [id], () => webhooks.redeliver(id)),
  };
  return replaced(webhooks, own);
}

/** Copies getters as getters. */
const replaced = <Group extends object>(group: Group, own: Partial<Group>): Group =>
  Object.freeze(
    Object.defineProperties(
      {},
      { ...Object.getOwnPropertyDescriptors(group), ...Object.getOwnPropertyDescriptors(own) },
    ) as Group,
  );
