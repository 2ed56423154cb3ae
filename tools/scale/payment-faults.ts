import type { FaultRule, Sandbox } from 'payment-platform/sandbox';

type Fault = Pick<FaultRule, 'fault' | 'phase'>;

/** Faults of a payment, before and after its execution. */
const faults: readonly Fault[] = [
  { fault: 'reset', phase: 'before-read' },
  { fault: 'reset', phase: 'before-commit' },
  { fault: 'reset', phase: 'after-commit' },
  { fault: 'reset', phase: 'mid-response' },
  { fault: 'hang', phase: 'before-commit' },
  { fault: 'hang', phase: 'after-commit' },
  { fault: 'truncate', phase: 'after-commit' },
  { fault: 'truncate', phase: 'mid-response' },
  { fault: 'invalid-json', phase: 'mid-response' },
  { fault: { status: 503 }, phase: 'before-commit' },
  { fault: { status: 503 }, phase: 'after-commit' },
  { fault: { status: 409 }, phase: 'before-commit' },
  { fault: { status: 409 }, phase: 'after-commit' },
  { fault: 'acquirer-unknown', phase: 'before-commit' },
];

/** Adds at least `count` faults, spread over the requests until all have hit. */
export function addFaults({ faults: control }: Sandbox, count: number): void {
  const times = Math.ceil(count / faults.length);
  for (const fault of faults) control.add({ operation: 'payments.create', ...fault, times, rate: 0.03 });
}

/** Resolves unknown outcomes repeatedly. Returns a function that stops it. */
export function resolveUnknown({ control: { payments } }: Sandbox, random: () => number): () => void {
  const timer = setInterval(() => {
    for (const { idempotencyKey } of payments.unresolved())
      payments.resolve(idempotencyKey, random() < 0.5 ? 'created' : 'not-created');
  }, 100);
  return () => clearInterval(timer);
}
