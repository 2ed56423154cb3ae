import { inspect } from '#sandbox-runtime';
import type { Fault } from './fault-kinds.js';

export const phases = ['before-read', 'before-commit', 'after-commit', 'mid-response'] as const;

/** The moment at which a fault hits a request. */
export type FaultPhase = (typeof phases)[number];

const beforeResponse = ['before-commit', 'before-read', 'after-commit'] as const;
const anyPhase = [...beforeResponse, 'mid-response'] as const;

interface Possible {
  /** The first is the default. */
  readonly phases: readonly FaultPhase[];
  /** The reason for rejecting the other phases, for messages. */
  readonly why: string;
}

const replacesResponse: Possible = {
  phases: beforeResponse,
  why: 'it is a response, and at mid-response another one has begun',
};

export const possiblePhases: Readonly<Record<Extract<Fault, string> | 'slow' | 'replacement', Possible>> = {
  reset: { phases: anyPhase, why: '' },
  hang: { phases: anyPhase, why: '' },
  truncate: { phases: anyPhase, why: '' },
  garbage: { phases: anyPhase, why: '' },
  'invalid-json': { phases: anyPhase, why: '' },
  empty: replacesResponse,
  replacement: replacesResponse,
  slow: { phases: ['after-commit'], why: "it changes the platform's own response" },
  'acquirer-unknown': { phases: ['before-commit'], why: 'the acquirer fails while the payment is made' },
};

function findKind(fault: Fault): keyof typeof possiblePhases {
  if (typeof fault !== 'object') return fault;
  return 'slow' in fault ? 'slow' : 'replacement';
}

export function choosePhase(fault: Fault, input: FaultPhase | undefined): FaultPhase {
  const { phases: allowed, why } = possiblePhases[findKind(fault)];
  const phase = input ?? (allowed[0] as FaultPhase);
  if (allowed.includes(phase)) return phase;
  const names = phases.filter((name) => allowed.includes(name)).map((name) => `'${name}'`);
  const shown =
    typeof fault === 'string' ? `'${fault}'` : inspect(fault, { depth: 0, breakLength: Infinity });
  throw new TypeError(
    `faults.add: the fault ${shown} needs the phase ${names.join(' or ')}, got '${phase}': ${why}`,
  );
}
