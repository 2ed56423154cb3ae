import type { Parts } from './assemble.js';
import type { MerchantOptions } from './merchants/merchant.js';
import type { SandboxState } from './state/saved.js';

/** Gives the parts of a sandbox a saved state, and schedules what is pending in it. */
export function restore({ state, merchants, deliveries }: Parts, saved: SandboxState): void {
  state.restore(saved);
  merchants.resume();
  deliveries.resume();
}

/** @throws TypeError if the state is damaged, or has no such credential. */
export function goOnFrom(
  parts: Parts,
  state: SandboxState,
  { clientId, clientSecret }: MerchantOptions,
): void {
  try {
    restore(parts, state);
  } catch (cause) {
    throw new TypeError(`createSandbox: the state is damaged: ${(cause as Error).message}`, { cause });
  }
  const problem = parts.merchants.credentialProblem(clientId, clientSecret);
  if (problem !== undefined) throw new TypeError(`createSandbox: ${problem}`);
}
