import type { AsyncDisposal } from '../../src/validation/methods.js';
import type { SandboxFaults } from '../faults/request-faults.js';
import type { SandboxJournal } from '../http/journal.js';
import type { ListenOptions, SandboxServer } from '../http/node-server.js';
import type { SandboxClientOptions, SandboxFetch } from '../merchants/client-options.js';
import type { CredentialOptions, MerchantOptions } from '../merchants/merchant.js';
import type { MerchantReference } from '../merchants/merchant-reference.js';
import type { SandboxLedger } from '../payments/ledger.js';
import type { SandboxState } from '../state/saved.js';
import type { SandboxClock } from '../time/clock.js';
import type { TimelineEntry } from '../timeline/timeline.js';
import type { SandboxControl } from './control.js';
import type { SandboxWebhooks } from './webhooks.js';

/** A merchant of the sandbox. Only `clientOptions()` contains its secret. */
export interface SandboxMerchant extends MerchantReference {
  /** Options of a client in the same process. */
  clientOptions(): SandboxClientOptions;
}

/** The payment platform in miniature, created by `createSandbox`. */
export interface Sandbox extends AsyncDisposal {
  /** The sandbox's time, which a test can move forward. */
  readonly clock: SandboxClock;
  /** Events outside the API: a payer pays, a review ends, an endpoint is suspended. */
  readonly control: SandboxControl;
  /** Faults on the way to the platform: lost answers, broken connections, error statuses. */
  readonly faults: SandboxFaults;
  /** The requests that were received, without their secrets. */
  readonly journal: SandboxJournal;
  /** Every charge that was made. */
  readonly ledger: SandboxLedger;
  /** The endpoints of merchants, and the deliveries to them. */
  readonly webhooks: SandboxWebhooks;
  /**
   * Answers a request as the platform does. The host of the URL is ignored. Behaves like `fetch`: rejects
   * with the reason of an aborted signal, and with a TypeError if a fault breaks the connection.
   */
  readonly fetch: SandboxFetch;
  /** Options of a client in the same process: no socket is opened. */
  clientOptions(): SandboxClientOptions;
  /**
   * Adds another merchant. It cannot see the data of the others.
   *
   * @throws TypeError naming every problem of the options: a client id that is in use, an unknown option or
   * feature.
   */
  addMerchant(options?: MerchantOptions): SandboxMerchant;
  /**
   * Calls a listener with each event from now on: requests, faults, responses, payment statuses, deliveries,
   * controls and moves of the clock. Returns a function that stops it. If the listener throws, that is an uncaught
   * exception and changes nothing in the sandbox.
   *
   * @throws TypeError for anything but a function.
   */
  observe(listener: (entry: TimelineEntry) => void): () => void;
  /**
   * Serves the sandbox over HTTP, by default on a free port of 127.0.0.1. Requests from web pages are
   * refused: 421 for a Host that is not the server's own or one of `allowedHosts`, 403 for another origin.
   *
   * @throws TypeError naming every problem of the options; the errors of Node if the address is in use.
   */
  listen(options?: ListenOptions): Promise<SandboxServer>;
  /**
   * Adds a credential to a merchant, by default the sandbox's first one. It has the same access as the others, and
   * its own rate limits and access tokens.
   *
   * @throws TypeError naming every problem of the options: a client id that is in use, an unknown option or
   * merchant.
   */
  addCredential(merchant?: MerchantReference, options?: CredentialOptions): SandboxMerchant;
  /** Everything that the sandbox keeps, for `createSandbox({ state })`. The journal and faults are not in it. */
  save(): SandboxState;
  /**
   * Goes back to the beginning: no payments, sellers, endpoints, deliveries, tokens, faults and journal, and the
   * first time of the clock. The merchants stay, with their credentials and features.
   */
  reset(): Promise<void>;
  /** Stops every server, timer, pending delivery and hanging request. Afterwards the sandbox answers nothing. */
  close(): Promise<void>;
}
