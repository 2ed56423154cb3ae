import { inspect } from '#sandbox-runtime';
import { isRecord } from '../../src/validation/record.js';

/** The format's name, in a state and in its file. */
export const format = 'payment-platform-sandbox';

/** The format's version. Another version is rejected. */
export const stateVersion = 1;

/**
 * The state of a sandbox, as JSON: from `sandbox.save()`, for `createSandbox({ state })`. It contains the
 * sandbox's credentials, its webhook secrets, and the documents that were sent.
 */
export interface SandboxState {
  /** The format's name. */
  readonly format: typeof format;
  /** The format's version. */
  readonly version: typeof stateVersion;
  /** The seed of the sandbox that saved the state. A sandbox with this state has the same seed. */
  readonly seed: number;
  /** The keys and values of each part. Their format changes with the version. */
  readonly parts: Readonly<Record<string, readonly (readonly [key: string, value: unknown])[]>>;
}

const isEntries = (value: unknown) =>
  Array.isArray(value) &&
  value.every((entry) => Array.isArray(entry) && entry.length === 2 && typeof entry[0] === 'string');

export const notAState = 'is not the state of a sandbox';

/** Worded to follow a subject. Undefined if the state can be loaded. */
function headProblem(value: unknown): string | undefined {
  if (!isRecord(value) || value.format !== format) return notAState;
  if (value.version !== stateVersion) {
    return `is of version ${inspect(value.version)}, and this package reads version ${stateVersion} only`;
  }
  return Number.isSafeInteger(value.seed) ? undefined : 'has no seed';
}

/** Like `headProblem`, for the first line of a file. */
export function firstLineProblem(value: unknown): string | undefined {
  const isValue = isRecord(value) && value.format === format && value.parts !== undefined;
  return isValue
    ? 'is a result of save(), written as JSON. Pass JSON.parse of it as `state`'
    : headProblem(value);
}

/** The parts that every state has. */
const always = ['clock', 'credentials', 'merchants'] as const;

/** Like `headProblem`, for a complete state. */
export function stateProblem(value: unknown): string | undefined {
  const problem = headProblem(value);
  if (problem !== undefined) return problem;
  const { parts } = value as { parts?: unknown };
  if (!isRecord(parts) || !Object.values(parts).every(isEntries)) return 'is damaged';
  const missing = always.filter((name) => !Array.isArray(parts[name]) || parts[name].length === 0);
  return missing.length === 0 ? undefined : `is not whole: it has no ${missing.join(' and no ')}`;
}
