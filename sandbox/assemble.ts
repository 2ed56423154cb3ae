import { allowManyListeners } from '#sandbox-runtime';
import { DeliveryFaults } from './faults/delivery-faults.js';
import type { FaultListeners } from './faults/fault-list.js';
import { RequestFaults } from './faults/request-faults.js';
import { createHandlers } from './http/all-handlers.js';
import { Journal } from './http/journal.js';
import { PlatformRequests } from './http/platform-requests.js';
import { AccessTokens } from './merchants/access-tokens.js';
import { Merchants } from './merchants/merchants.js';
import { RateLimits } from './merchants/rate-limits.js';
import type { SandboxSettings } from './options.js';
import { Ledger } from './payments/ledger.js';
import { Random } from './random/random.js';
import { Changes } from './state/changes.js';
import { Sequence } from './state/sequence.js';
import { State } from './state/state.js';
import { Clock } from './time/clock.js';
import { Timeline } from './timeline/timeline.js';
import { CertificateAuthority } from './wallet/certificate-authority.js';
import { Deliveries } from './webhooks/deliveries.js';
import { InProcessReceivers } from './webhooks/in-process-receivers.js';
import { createHeaderBuilder } from './webhooks/signature.js';

export type Parts = ReturnType<typeof assemble>;

/** @param saved writes the state to its file, then returns the response */
export function assemble(settings: SandboxSettings, saved: (response: Response) => Response) {
  const { seed, behaviour, names } = settings;
  const closing = new AbortController();
  // Each waiting request adds a listener to this signal.
  allowManyListeners(closing.signal);
  const state = new State(seed);
  const changes = new Changes();
  state.listen(changes);
  const random = (purpose: string) => new Random(seed, purpose, state);
  const timeline: Timeline = new Timeline(() => clock.timestamp());
  const clock = new Clock(settings.now, state, (by) => timeline.note({ kind: 'clock', by }));
  const faultListeners: FaultListeners = {
    onChange: () => changes.note('faults'),
    note: (call, ...args) => timeline.note({ kind: 'control', call, args }),
  };
  const faults = new RequestFaults(random('faults'), faultListeners);
  const journal = new Journal(settings.maxJournal, (clientId, key) =>
    merchants.find(clientId)?.payments.createdWith(key),
  );
  const receivers = new InProcessReceivers();
  const deliveries: Deliveries = new Deliveries({
    clock,
    random: random('deliveries'),
    buildHeaders: createHeaderBuilder(clock, behaviour.signature),
    faults: new DeliveryFaults(random('delivery faults'), faultListeners),
    receivers,
    tables: state,
    timeline,
    behaviour: behaviour.webhooks,
    concurrency: behaviour.deliveries.concurrency,
    endpointFailed: (id) => {
      const match = merchants.findOwner(({ endpoints }) => endpoints.find(id));
      match?.owner.endpoints.setStatus(match.found, 'failed');
    },
    endpoint: (id) => merchants.findOwner(({ endpoints }) => endpoints.find(id))?.found,
  });
  const ledger = new Ledger(state, ({ id, status, history, draft }) =>
    timeline.note({
      kind: 'status',
      paymentId: id,
      status,
      isFirst: history.length === 1,
      amount: draft.amount,
    }),
  );
  const certificateAuthority = new CertificateAuthority(clock, random('authority'), state);
  const tokens = new AccessTokens(clock, random('access tokens'), behaviour.oauth.expiresIn, state);
  const merchants: Merchants = new Merchants(
    seed,
    {
      clock,
      deliveries,
      ledger,
      certificateAuthority,
      // The API docs state only that these ids are numeric.
      withdrawalIds: new Sequence('last withdrawal', Number(`1${random('withdrawals').digits(8)}`), state),
      behaviour,
      names,
      state,
      closing: closing.signal,
    },
    settings.merchant,
  );
  const rateLimits = new RateLimits(clock, behaviour.rateLimits);
  const requests = new PlatformRequests({
    merchants,
    tokens,
    clock,
    faults,
    journal,
    timeline,
    changes,
    rateLimits,
    handlers: createHandlers(merchants, tokens),
    updates: settings.updates,
    names,
    grantType: behaviour.oauth.grantType,
    errorBody: behaviour.errorBody,
    maxBody: behaviour.maxBody,
    requestIds: random('requests'),
    saved,
    closing: closing.signal,
  });
  return {
    closing,
    state,
    changes,
    clock,
    faults,
    journal,
    timeline,
    receivers,
    deliveries,
    ledger,
    certificateAuthority,
    tokens,
    merchants,
    rateLimits,
    requests,
  };
}
