import { acceptOptions, ConfigurationError } from '../errors/usage.js';
import { isInstance } from '../validation/builtins.js';
import { functionReader, integerReader, type OptionReaders, validIf } from '../validation/options.js';
import { wait } from '../validation/time-limit.js';
import { durationReader, type ResolvedOptions } from './options.js';
import { type OverduePayments, OverdueWatch } from './overdue.js';
import { PayloadEraser } from './payload-eraser.js';
import type { PaymentRecord } from './payment-record.js';
import type { Attempts, HeldRow } from './settler.js';

/** The options of `run`. */
export interface RunOptions<Recorded = PaymentRecord> {
  /** The signal that ends `run`. After the abort, `run` claims no more payments. */
  signal?: AbortSignal | undefined;
  /** The maximum number of concurrent payments. Default 10, for registrations 4. */
  concurrency?: number | undefined;
  /**
   * How long to wait, in milliseconds with jitter, after a poll that finds fewer due payments than `run` can
   * start. Default 1,000. While the store is failing, the pauses lengthen to about 30 seconds, and `onError`
   * receives the error of the polls only when it changes.
   */
  pollInterval?: number | undefined;
  /**
   * The age, in milliseconds, of an overdue payment. `run` reports the payments in its state once, and again each
   * time that the age of the oldest has doubled. Default: never.
   */
  overdueAfter?: number | undefined;
  /** Receives overdue payments, separately for each state. Default: `onError`. */
  onOverdue?: ((overdue: OverduePayments<Recorded>) => unknown) | undefined;
}

const optionReaders: OptionReaders<RunOptions<never>> = {
  signal: validIf((value) => isInstance(value, 'AbortSignal'), 'must be an AbortSignal'),
  concurrency: integerReader(1, 'a number of payments'),
  pollInterval: durationReader(1, 86_400_000),
  overdueAfter: durationReader(1),
  onOverdue: functionReader(),
};

interface Outage {
  readonly message: string;
  readonly pauseMs: number;
}

export class DurableWorker<Transaction, Recorded> {
  readonly #options: ResolvedOptions<Transaction>;
  readonly #settler: Attempts<Transaction, object, Recorded>;

  constructor(options: ResolvedOptions<Transaction>, settler: Attempts<Transaction, object, Recorded>) {
    this.#options = options;
    this.#settler = settler;
  }

  async once(limit: number): Promise<number> {
    const rows = await this.#settler.claim(limit);
    await Promise.all(rows.map((held) => this.#settler.attempt(held)));
    await this.#settler.reportForeign();
    return rows.length;
  }

  async run(options: RunOptions<Recorded>): Promise<void> {
    const {
      signal,
      concurrency = Math.min(10, this.#settler.kind.atOnce),
      pollInterval = 1_000,
      overdueAfter,
      onOverdue,
    } = acceptOptions('run', options, optionReaders as OptionReaders<RunOptions<Recorded>>);
    if (onOverdue !== undefined && overdueAfter === undefined)
      throw new ConfigurationError('run: onOverdue is called only with the option overdueAfter.');
    const overdue =
      overdueAfter === undefined
        ? undefined
        : new OverdueWatch(this.#options, this.#settler, overdueAfter, onOverdue);
    const stopObserving = this.#options.telemetry?.durable.observeOpen(this.#options.store.countedRows);
    const underWay = new Set<Promise<unknown>>();
    const { erasePayloadsAfter } = this.#options;
    const erasing =
      erasePayloadsAfter === undefined
        ? undefined
        : new PayloadEraser(this.#options, this.#settler, erasePayloadsAfter).run(signal);
    let outage: Outage | undefined;
    while (signal?.aborted !== true) {
      void this.#settler.reportForeign();
      const free = concurrency - underWay.size;
      let rows: readonly HeldRow[] = [];
      try {
        rows = await this.#settler.claim(free);
        outage = undefined;
      } catch (error) {
        outage = this.#reported(error, outage, pollInterval);
      }
      for (const held of rows) {
        const attempt = this.#settler.attempt(held).finally(() => underWay.delete(attempt));
        underWay.add(attempt);
      }
      await overdue?.check();
      if (rows.length === free) await Promise.race(underWay);
      else await wait((outage?.pauseMs ?? pollInterval) * (0.5 + Math.random()), signal);
    }
    stopObserving?.();
    await Promise.all([...underWay, erasing]);
  }

  #reported(error: unknown, outage: Outage | undefined, pollInterval: number): Outage {
    const message = String(Object(error).message);
    if (message !== outage?.message) this.#settler.report(error, { during: 'claim' });
    const pause =
      outage === undefined ? pollInterval : Math.max(pollInterval, Math.min(2 * outage.pauseMs, 30_000));
    return { message, pauseMs: pause };
  }
}
