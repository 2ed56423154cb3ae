import { inspect } from '#sandbox-runtime';
import { type EventName, transactionEvents } from '../../src/contract/events.js';
import { limits } from '../../src/contract/limits.js';
import type { ChecksOff } from '../../src/contract/sdk-checks.js';
import { createWebhookOperation } from '../../src/contract/webhooks/operations.js';
import type { WebhookEndpoint } from '../../src/contract/webhooks/types.js';
import { type Issue, listIssues } from '../../src/validation/issue.js';
import { isRecord } from '../../src/validation/record.js';
import { findContractIssues } from '../arguments/contract-issues.js';
import type { Behaviour } from '../defaults/all.js';
import { type EndpointStatus, endpointStatuses } from '../defaults/transitions.js';
import type { Audience, EventSubscriptions } from '../defaults/webhooks.js';
import type { Random } from '../random/random.js';
import type { TableFactory } from '../state/state.js';
import type { Table } from '../state/table.js';
import type { Clock } from '../time/clock.js';

export interface AcceptedWebhook {
  readonly webhook_url: string;
  readonly events?: readonly EventName[];
  readonly hmac_secret?: string;
}

/** Missing fields do not change. */
export interface AcceptedUpdate {
  readonly webhook_url?: string;
  readonly events?: readonly EventName[];
  /** `null` removes the secret. */
  readonly hmac_secret?: string | null;
}

export interface Endpoint {
  readonly shown: Readonly<WebhookEndpoint>;
  readonly secret?: string | undefined;
  /** The secret before its last change. */
  readonly previousSecret?: string | undefined;
  /** The `internalId` of a sub-account; undefined if the merchant owns the endpoint. */
  readonly submerchant?: string | undefined;
}

export const isActive = ({ shown }: Endpoint): boolean => shown.status === 'active';

/** A missing or empty list means all transaction events. */
const subscribed = (events: readonly EventName[] = []): EventName[] =>
  events.length === 0 ? [...transactionEvents] : [...events];

const copy = ({ shown }: Endpoint): WebhookEndpoint => ({ ...shown, events: [...shown.events] });

function explained(issue: Issue, { webhook_url: url }: AcceptedWebhook): Issue {
  const { path, message } = issue;
  if (path !== 'webhook_url' || url.includes('://') || !URL.canParse(`http://${url}`)) return issue;
  return {
    path,
    message: `${message}: '${url}' has no scheme, write 'http://${url}' for a receiver on this machine`,
  };
}

const hasCredentials = ({ username, password }: URL) => username !== '' || password !== '';

/** From the body's fields to the options of `webhooks.register`. */
const optionNames: ReadonlyMap<string, string> = new Map([
  ['webhook_url', 'url'],
  ['hmac_secret', 'secret'],
]);

export class Endpoints {
  readonly #endpoints: Table<Endpoint>;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #subscriptions: EventSubscriptions;
  readonly #httpHosts: readonly string[];
  readonly #checksOff: ChecksOff;

  constructor(
    clock: Clock,
    random: Random,
    { subscriptions, httpWebhookHosts, checks }: Behaviour,
    tables: TableFactory,
  ) {
    this.#httpHosts = httpWebhookHosts;
    this.#checksOff = checks;
    this.#endpoints = tables.table('endpoints');
    this.#clock = clock;
    this.#random = random;
    this.#subscriptions = subscriptions;
  }

  /** Copies, also of the sub-accounts' endpoints, in the order of registration. */
  list(): WebhookEndpoint[] {
    return Array.from(this.#endpoints.values(), copy);
  }

  /** Copies the merchant's own endpoints. */
  listOwn(): WebhookEndpoint[] {
    return this.#of(undefined).map(copy);
  }

  find(id: string): Endpoint | undefined {
    return this.#endpoints.get(id);
  }

  findOwn(id: string): Endpoint | undefined {
    return this.#of(undefined).find(({ shown }) => shown.id === id);
  }

  /** @param submerchant the `internalId` of the sub-account that owns the payment */
  receivers(event: EventName, submerchant: string | undefined, audience: Audience): Endpoint[] {
    if (this.#endpoints.size === 0) return [];
    const own = submerchant === undefined || audience !== 'submerchant' ? this.#of(undefined) : [];
    const theirs = submerchant === undefined || audience === 'merchant' ? [] : this.#of(submerchant);
    const isSubscribed = ({ shown }: Endpoint) =>
      this.#subscriptions === 'all' || shown.events.includes(event);
    return [...own, ...theirs].filter((endpoint) => isActive(endpoint) && isSubscribed(endpoint));
  }

  /** Checks whether deliveries over plain HTTP can go to the host of the body's URL. */
  allows(body: unknown): boolean {
    const url = isRecord(body) ? body.webhook_url : undefined;
    if (typeof url !== 'string' || !URL.canParse(url)) return false;
    const { protocol, host, hostname } = new URL(url);
    return protocol === 'http:' && (this.#httpHosts.includes(host) || this.#httpHosts.includes(hostname));
  }

  issues(body: unknown, submerchant?: string): Issue[] {
    const present = this.#of(submerchant);
    const issues = this.#urlIssues(body, present);
    const limit = limits.webhookEndpointsPerOrganization;
    if (present.length >= limit) {
      issues.push({
        path: '',
        message: `the organization already has ${limit} webhook endpoints, which is the limit`,
      });
    }
    return issues;
  }

  updateIssues(id: string, body: unknown): Issue[] {
    return this.#urlIssues(
      body,
      this.#of(undefined).filter(({ shown }) => shown.id !== id),
    );
  }

  add({ webhook_url, events, hmac_secret }: AcceptedWebhook, submerchant?: string): WebhookEndpoint {
    const shown: WebhookEndpoint = {
      id: this.#random.uuid(),
      endpoint: webhook_url,
      status: 'active',
      created_at: this.#clock.timestamp(),
      events: subscribed(events),
      hmac_configured: hmac_secret !== undefined,
    };
    return this.#keep({ shown, secret: hmac_secret, submerchant });
  }

  /**
   * @param call the method that messages name
   * @throws Error if the API would respond with 400
   */
  register(body: AcceptedWebhook, call = 'webhooks.register', submerchant?: string): WebhookEndpoint {
    const objections = findContractIssues(createWebhookOperation, body, this.#checksOff).filter(
      ({ path }) => path !== 'webhook_url' || !this.allows(body),
    );
    const found = [...objections.map((issue) => explained(issue, body)), ...this.issues(body, submerchant)];
    const issues = found.map(({ path, message }) => ({
      path: optionNames.get(path) ?? path,
      message,
    }));
    if (issues.length > 0) throw new Error(listIssues(call, issues));
    return this.add(body, submerchant);
  }

  /** @returns a copy */
  update(endpoint: Endpoint, { webhook_url, events, hmac_secret }: AcceptedUpdate): WebhookEndpoint {
    const { shown } = endpoint;
    const secret = hmac_secret === undefined ? endpoint.secret : (hmac_secret ?? undefined);
    return this.#keep({
      ...endpoint,
      secret,
      previousSecret:
        secret === endpoint.secret ? endpoint.previousSecret : (endpoint.secret ?? endpoint.previousSecret),
      shown: {
        ...shown,
        endpoint: webhook_url ?? shown.endpoint,
        events: events === undefined ? shown.events : subscribed(events),
        hmac_configured: secret !== undefined,
      },
    });
  }

  /** @throws TypeError for an unknown status */
  setStatus(endpoint: Endpoint, status: EndpointStatus): WebhookEndpoint {
    if (!endpointStatuses.includes(status)) {
      throw new TypeError(
        `The status must be one of ${endpointStatuses.join(', ')}, not ${inspect(status)}.`,
      );
    }
    return this.#keep({ ...endpoint, shown: { ...endpoint.shown, status } });
  }

  remove(id: string): void {
    this.#endpoints.delete(id);
  }

  #keep(endpoint: Endpoint): WebhookEndpoint {
    return copy(this.#endpoints.set(endpoint.shown.id, endpoint));
  }

  #of(owner: string | undefined): Endpoint[] {
    return [...this.#endpoints.values()].filter(({ submerchant }) => submerchant === owner);
  }

  #urlIssues(body: unknown, others: readonly Endpoint[]): Issue[] {
    const issues: Issue[] = [];
    const url = isRecord(body) ? body.webhook_url : undefined;
    if (typeof url === 'string') {
      if (!URL.canParse(url)) issues.push({ path: 'webhook_url', message: 'must be a URL' });
      else if (hasCredentials(new URL(url)))
        issues.push({ path: 'webhook_url', message: 'must have no user and password' });
    }
    if (others.some(({ shown }) => shown.endpoint === url)) {
      issues.push({ path: 'webhook_url', message: 'is already registered' });
    }
    return issues;
  }
}
