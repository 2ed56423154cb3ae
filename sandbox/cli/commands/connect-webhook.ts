import { randomBytes } from 'node:crypto';
import type { Sandbox } from '../../index.js';
import { reportAsMistake } from '../failure.js';
import { shownUrl } from '../http-url.js';
import { readSecretVariable } from '../secret.js';

export interface ConnectedWebhook {
  readonly url: string;
  /** Undefined if the endpoint was known and keeps its secret. */
  readonly secret: string | undefined;
  readonly isNewSecret: boolean;
}

/**
 * If the state or the options contain an endpoint with the URL, that endpoint stays, unless the environment contains a
 * secret.
 */
export function connectWebhook(sandbox: Sandbox, url: string): ConnectedWebhook {
  const value = readSecretVariable();
  const known = sandbox.webhooks.endpoints.find(({ endpoint }) => endpoint === url);
  if (known !== undefined && value === undefined) return { url, secret: undefined, isNewSecret: false };
  if (known !== undefined) sandbox.control.webhooks.remove(known.id);
  const secret = value ?? `sandbox-webhook-secret-${randomBytes(16).toString('hex')}`;
  reportAsMistake(
    () => sandbox.webhooks.register({ url, secret }),
    (message) => message.replace(/^webhooks\.register: url /, `--webhook ${shownUrl(url)} `),
  );
  return { url, secret, isNewSecret: value === undefined };
}
