import type { PaymentPlace } from './payment-place.js';

/** A point between two effects of the process itself. */
export interface OwnPoint {
  readonly step: 'insert' | 'claim' | 'update' | 'COMMIT';
  readonly when: 'before' | 'after';
}

/** A point in the exchange with the platform. */
export type WirePoint =
  | 'connected'
  | 'head of the request'
  | 'half of the body'
  | 'request, not executed'
  | 'request, executed with the next attempt'
  | 'executed, before the response'
  | 'half of the response';

/** A point that a process is killed at. */
export interface KillPoint {
  readonly name: string;
  readonly own?: OwnPoint;
  readonly wire?: WirePoint;
}

/** The task of a process. The process is killed, or it settles the payments of killed processes. */
export interface PaymentProcess {
  readonly place: PaymentPlace;
  readonly platform: { readonly baseUrl: string; readonly clientId: string; readonly clientSecret: string };
  /** `serve` runs the tables that arrive as orders. */
  readonly does: 'create' | 'enqueue' | 'enqueue in a transaction' | 'run' | 'serve';
  readonly key: string;
  readonly dies?: OwnPoint | undefined;
}

/** An order to a process that serves. */
export type Order = { readonly run: PaymentPlace } | { readonly stop: PaymentPlace };

const own = (step: OwnPoint['step']): KillPoint[] =>
  (['before', 'after'] as const).map((when) => ({ name: `${when} ${step}`, own: { step, when } }));

const wire = (
  [
    'connected',
    'head of the request',
    'half of the body',
    'request, not executed',
    'request, executed with the next attempt',
    'executed, before the response',
    'half of the response',
  ] as const
).map((point): KillPoint => ({ name: point, wire: point }));

/** Every point between two effects of `create`. */
export const createPoints: readonly KillPoint[] = [...own('insert'), ...wire, ...own('update')];

/** Every point between two effects of `run`. */
export const runPoints: readonly KillPoint[] = [...own('claim'), ...wire, ...own('update')];

/** Every point between two effects of `enqueue`. */
export const enqueuePoints: readonly KillPoint[] = own('insert');

/** Every point between two effects of `enqueue` in a transaction. */
export const transactionPoints: readonly KillPoint[] = [...own('insert'), ...own('COMMIT')];
