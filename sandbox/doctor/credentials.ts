import { shapes } from '../../src/contract/generated/shapes.js';
import { limits } from '../../src/contract/limits.js';
import { isRecord } from '../../src/validation/record.js';
import {
  type DoctorCheck,
  describeError,
  failed,
  findCode,
  findStatus,
  ok,
  skipped,
  warning,
} from './check.js';
import type { DiagnosisContext } from './diagnosis-context.js';
import { noteDrift } from './drift.js';
import { readJson } from './tap.js';

const labels = {
  headers: 'The headers client-id and client-secret',
  oauth: 'An access token',
  both: 'An access token next to the headers',
} as const;

export async function* checkCredentials(
  context: DiagnosisContext,
): AsyncGenerator<DoctorCheck, string | undefined> {
  // At once, so that a platform that does not respond is waited for only once.
  const tries = await Promise.all(
    (['headers', 'oauth', 'both'] as const).map((auth) => tryMode(context, auth)),
  );
  const isAnyAccepted = tries.some(({ error }) => error === undefined);
  for (const each of tries) yield describeTry(each, context.client.auth ?? 'headers', isAnyAccepted);
  if (tries.every(({ error }) => hasNoResponse(error))) context.unreachable = 'The platform did not respond.';
  else yield await checkToken(context);
  return context.unreachable;
}

const hasNoResponse = (error: unknown): boolean =>
  ['connection_failed', 'timeout'].includes(findCode(error) ?? '') && findStatus(error) === undefined;

interface AuthTry {
  readonly auth: keyof typeof labels;
  readonly error?: unknown;
}

async function tryMode({ platform, call }: DiagnosisContext, auth: AuthTry['auth']): Promise<AuthTry> {
  try {
    await platform.request({ method: 'GET', path: '/v1/webhooks' }, { ...call, auth, maxRetries: 0 });
    return { auth };
  } catch (error) {
    return { auth, error };
  }
}

/** A failure says nothing about a mode if the platform accepts no mode. */
function describeTry(
  { auth, error }: AuthTry,
  clientAuth: AuthTry['auth'],
  isAnyAccepted: boolean,
): DoctorCheck {
  const name = `auth.${auth}` as const;
  if (error === undefined) return ok(name, `${labels[auth]}: accepted.`);
  const status = findStatus(error);
  const isRejected = status === 401 || status === 403;
  const reason = isRejected ? `rejected with ${status}.` : describeError(error);
  if (auth !== clientAuth) {
    const other = isRejected
      ? 'Check PAYMENT_PLATFORM_CLIENT_ID and PAYMENT_PLATFORM_CLIENT_SECRET.'
      : 'Repair the connection first.';
    return warning(
      name,
      `${labels[auth]}: ${reason} This client does not use it.`,
      isAnyAccepted ? `Do not set auth: '${auth}'.` : other,
    );
  }
  return failed(
    name,
    `${labels[auth]}: ${reason}`,
    isRejected
      ? `Check the credentials of this environment, or set another auth. A gateway can also remove the headers.`
      : 'Check the base address and the way to it.',
  );
}

async function checkToken(context: DiagnosisContext): Promise<DoctorCheck> {
  const { tapped, client, call, secrets } = context;
  if (typeof tapped === 'string') return skipped('token', tapped);
  await tapped.platform
    .request({ method: 'GET', path: '/v1/webhooks' }, { ...call, auth: 'oauth', maxRetries: 0 })
    .catch(() => undefined);
  const exchange = tapped.tap.exchanges.findLast(({ path }) => path.endsWith('/oauth/token'));
  const raw = exchange && readJson(exchange);
  if (exchange === undefined || exchange.status >= 300 || !isRecord(raw)) {
    const reason =
      exchange === undefined
        ? 'No response to the token request arrived.'
        : `The response to the token request (${exchange.status}) has no token.`;
    if (client.auth === undefined || client.auth === 'headers')
      return skipped('token', `${reason} This client does not need one.`);
    return failed('token', reason, 'Check oauth.clientId, oauth.encoding and oauth.credentials.');
  }
  secrets.push(
    ...Object.values(raw)
      .map(String)
      .filter((value) => value.length > 15),
  );
  const { expires_in: lifetime } = noteDrift(context, 'oauth.token', shapes['oauth.token'].response, raw);
  // The client also reads a number in a string.
  const seconds = typeof lifetime === 'string' && lifetime.trim() !== '' ? Number(lifetime) : lifetime;
  if (seconds === limits.oauthTokenSeconds) return ok('token', `A token is valid for ${seconds} seconds.`);
  if (!Number.isFinite(seconds))
    return warning(
      'token',
      'The response has no lifetime of the token.',
      `The client assumes ${limits.oauthTokenSeconds} seconds. If the field has another name, set fieldNames.`,
    );
  return warning(
    'token',
    `A token is valid for ${seconds} seconds. The API docs say ${limits.oauthTokenSeconds}.`,
    'Nothing to do for this client: it follows the response.',
  );
}
