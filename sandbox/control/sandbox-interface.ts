import type { AsyncDisposal } from '../../src/validation/methods.js';
import type { SandboxFaults } from '../faults/request-faults.js';
import type { SandboxJournal } from '../http/journal.js';
import type { ListenOptions, SandboxServer } from '../http/node-server.js';
import type { SandboxClientOptions, SandboxFetch } from '../merchants/client-options.js';
import type { CredentialOptions, MerchantOptions } from '../merchants/merchant.js';
import type { MerchantReference } from '../merchants/merchant-reference.js';
import type { SandboxLedger } from '../payments/ledger.js';
import type { SandboxState } from '../state/saved-state.js';
import type { SandboxClock } from '../time/clock.js';
import type { TimelineEntry } from '../timeline/timeline.js';
import type { SandboxControl } from './control.js';
import type { SandboxWebhooks } from './webhooks.js';

/** A merchant of the sandbox. Its secret is only in the result of `clientOptions()`. */
export interface SandboxMerchant extends MerchantReference {
  /** Returns options for a client in the same process. */
  clientOptions(): SandboxClientOptions;
}

/** A payment platform in miniature. `createSandbox` creates it. */
export interface Sandbox extends AsyncDisposal {
  /** The sandbox's clock, which a test can move forward. */
  readonly clock: SandboxClock;
  /** Causes events outside the API: a customer pays, a review ends, an endpoint is suspended. */
  readonly control: SandboxControl;
  /** Faults on the way to the platform: lost responses, broken connections, error statuses. */
  readonly faults: SandboxFaults;
  /** The received requests, without their secrets. */
  readonly journal: SandboxJournal;
  /** Every charge that was made. */
  readonly ledger: SandboxLedger;
  /** The merchants' endpoints, and the deliveries to them. */
  readonly webhooks: SandboxWebhooks;
  /**
   * Responds to a request as the platform does. The URL's host is ignored. Behaves like `fetch`: rejects with
   * the reason of an aborted signal, and with a TypeError if a fault breaks the connection.
   */
  readonly fetch: SandboxFetch;
  /** Returns options for a client in the same process. No socket is opened. */
  clientOptions(): SandboxClientOptions;
  /**
   * Adds another merchant, which cannot see other merchants' data.
   *
   * @throws TypeError naming every problem of the options: a client id that is in use, an unknown option or
   * feature.
   */
  addMerchant(options?: MerchantOptions): SandboxMerchant;
  /**
   * Calls a listener with each event from now on. Events are requests, faults, responses, payment statuses,
   * deliveries, controls and moves of the clock. Returns a function that removes the listener. If the
   * listener throws, the error is an uncaught exception and changes nothing in the sandbox.
   *
   * @throws TypeError if `listener` is not a function.
   */
  observe(listener: (entry: TimelineEntry) => void): () => void;
  /**
   * Serves the sandbox over HTTP, by default on a free port of 127.0.0.1. Rejects requests from web pages:
   * with 421 for a Host that is neither the server's own nor one of `allowedHosts`, with 403 for another
   * origin.
   *
   * @throws TypeError naming every problem of the options; Node's errors if the address is in use.
   */
  listen(options?: ListenOptions): Promise<SandboxServer>;
  /**
   * Adds a credential to a merchant, by default to the sandbox's first one. It has the same access as the
   * merchant's other credentials, and its own rate limits and access tokens.
   *
   * @throws TypeError naming every problem of the options: a client id that is in use, an unknown option or
   * merchant.
   */
  addCredential(merchant?: MerchantReference, options?: CredentialOptions): SandboxMerchant;
  /**
   * Returns the sandbox's state, for `createSandbox({ state })`. The state does not include the journal and
   * the faults.
   */
  save(): SandboxState;
  /**
   * Restores the initial state. Removes all payments, sellers, endpoints, deliveries, tokens and faults,
   * clears the journal, and resets the clock. Then adds the endpoints and faults of the options again. The
   * merchants stay, with their credentials and features.
   */
  reset(): Promise<void>;
  /**
   * Stops every server, timer, pending delivery and hanging request. Afterwards the sandbox does not respond.
   */
  close(): Promise<void>;
}
