import { MiniaturePlatform, type Sandbox, type SandboxOptions } from './sandbox.js';

export { testCards, testCardTokens } from './cards.js';
export { type Choice, choices } from './choices.js';
export type { SandboxClock } from './clock.js';
export type { PaymentControl, SandboxControl } from './control.js';
export type { Delivery, SignatureOptions } from './deliveries.js';
export type { Duration } from './duration.js';
export type { FaultAnswer } from './fault-answer.js';
export type { Fault, FaultRule, PendingFault, SandboxFaults } from './faults.js';
export type { JournalRequest, SandboxJournal } from './journal.js';
export type { Charge, SandboxLedger } from './ledger.js';
export type { Sandbox, SandboxClientOptions, SandboxFetch, SandboxOptions } from './sandbox.js';
export type { ListenOptions, SandboxServer } from './server.js';
export type { EndpointRegistration, SandboxWebhooks } from './webhooks.js';

const known = new Set(['seed', 'now', 'clientId', 'clientSecret', 'signature']);

/**
 * Makes a sandbox: the payments part of the platform, offline.
 *
 * @example
 * const sandbox = createSandbox({ seed: 1, now: '2026-01-01T00:00:00Z' });
 * const platform = new PaymentPlatform(sandbox.clientOptions());
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  for (const name of Object.keys(options)) {
    if (!known.has(name))
      throw new TypeError(`${name} is no option of a sandbox (they are ${[...known].join(', ')}).`);
  }
  return new MiniaturePlatform(options);
}
