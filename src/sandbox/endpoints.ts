import { type EventName, transactionEvents } from '../contract/events.js';
import { limits } from '../contract/limits.js';
import { isRecord } from '../contract/record.js';
import { createWebhook, type WebhookEndpoint } from '../contract/webhook-endpoints.js';
import type { Clock } from './clock.js';
import { contractIssues, type Issue } from './issues.js';
import type { Random } from './random.js';

/** The body of POST /v1/webhooks, once it has passed every check. */
export interface AcceptedWebhook {
  readonly webhook_url: string;
  readonly events: readonly EventName[];
  readonly hmac_secret?: string;
}

/** A registered endpoint. The secret is kept apart, so that nothing that shows an endpoint shows it. */
export class Endpoint {
  readonly shown: Readonly<WebhookEndpoint>;
  readonly #secret: string | undefined;

  constructor(shown: WebhookEndpoint, secret: string | undefined) {
    this.shown = shown;
    this.#secret = secret;
  }

  get secret(): string | undefined {
    return this.#secret;
  }

  receives(event: EventName): boolean {
    return this.shown.events.includes(event);
  }
}

/** The webhook endpoints of one organization. */
export class Endpoints {
  readonly #endpoints: Endpoint[] = [];
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Copies, in the order of registration. */
  list(): WebhookEndpoint[] {
    return this.#endpoints.map(({ shown }) => ({ ...shown, events: [...shown.events] }));
  }

  receivers(event: EventName): Endpoint[] {
    return this.#endpoints.filter((endpoint) => endpoint.receives(event));
  }

  /** Problems with a body beyond the contract's rules. */
  issues(body: unknown): Issue[] {
    const issues: Issue[] = [];
    const url = isRecord(body) ? body.webhook_url : undefined;
    if (typeof url === 'string' && !URL.canParse(url)) {
      issues.push({ path: 'webhook_url', message: 'must be a URL' });
    }
    if (this.#endpoints.some(({ shown }) => shown.endpoint === url)) {
      issues.push({ path: 'webhook_url', message: 'is registered already' });
    }
    const limit = limits.webhookEndpointsPerOrganization;
    if (this.#endpoints.length >= limit) {
      issues.push({
        path: '',
        message: `the organization has ${limit} webhook endpoints, which is the limit`,
      });
    }
    return issues;
  }

  add({ webhook_url, events, hmac_secret }: AcceptedWebhook): WebhookEndpoint {
    const shown: WebhookEndpoint = {
      id: this.#random.uuid(),
      endpoint: webhook_url,
      status: 'active',
      created_at: this.#clock.timestamp(),
      events: events.length === 0 ? [...transactionEvents] : [...events],
      hmac_configured: hmac_secret !== undefined,
    };
    this.#endpoints.push(new Endpoint(shown, hmac_secret));
    return { ...shown, events: [...shown.events] };
  }

  /** The same without the API: throws where the API answers 400. */
  register(body: AcceptedWebhook): WebhookEndpoint {
    const issues = [...contractIssues(createWebhook, body), ...this.issues(body)];
    if (issues.length > 0) {
      const list = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
      throw new Error(`The webhook endpoint cannot be registered: ${list}.`);
    }
    return this.add(body);
  }
}
