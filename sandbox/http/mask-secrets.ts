import { shapes } from '../../src/contract/generated/shapes.js';
import { listSecretPaths } from '../../src/contract/runtime-schema.js';
import { isRecord } from '../../src/validation/record.js';
import { UploadedFile } from '../sellers/uploaded-file.js';

const hidden = '***';

const secretNames: ReadonlySet<string> = new Set([
  ...Object.values(shapes)
    .flatMap(({ request }) => (request === undefined ? [] : listSecretPaths(request)))
    .map((path) => path.slice(path.lastIndexOf('.') + 1)),
  'client_secret',
  'clientSecret',
  'access_token',
  'token',
  // Misspelt names of `hmac_secret`.
  'hmacSecret',
  'secret',
]);

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
const withoutPassword = (text: string) => text.replace(/(?<=:\/\/)[^\s/@]+(?=@)/g, hidden);

/** In other objects, such as `document`, the field `number` is not a card number. */
const isPan = (name: string, parent: string) => name === 'number' && parent === 'card';

const masked = (pan: unknown) => {
  const text = typeof pan === 'string' || typeof pan === 'number' ? String(pan) : '';
  return text.length < 8 ? hidden : `${'*'.repeat(text.length - 4)}${text.slice(-4)}`;
};

/** Secrets with other names stay, because a sandbox receives test data only. */
export function maskSecrets(value: unknown, parent = ''): unknown {
  if (value instanceof UploadedFile) return { ...value };
  if (typeof value === 'string') return privateKey.test(value) ? hidden : withoutPassword(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => maskSecrets(entry, parent));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [name, maskedField(name, entry, parent)]),
  );
}

function maskedField(name: string, value: unknown, parent: string): unknown {
  if (value === undefined || value === null) return value;
  if (isPan(name, parent)) return masked(value);
  return secretNames.has(name) && name !== 'number' ? hidden : maskSecrets(value, name);
}

/** Masked strings stay unchanged. */
export function hideFields(body: unknown, secrets: 'all' | readonly string[], path = ''): unknown {
  const isHidden = secrets === 'all' || secrets.includes(path);
  if (typeof body === 'string') return isHidden && !body.includes('*') ? hidden : body;
  if (typeof body === 'number') return isHidden ? hidden : body;
  if (Array.isArray(body)) return body.map((entry) => hideFields(entry, secrets, path));
  if (!isRecord(body) || body instanceof UploadedFile) return body;
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  return Object.fromEntries(
    Object.entries(body).map(([name, entry]) => [
      name,
      hideFields(entry, isHidden ? 'all' : secrets, within(name)),
    ]),
  );
}

/** Hides the values of parameters that have a secret's name. */
export function maskPath({ pathname, search }: URL): string {
  const query = search
    .slice(1)
    .split('&')
    .map((parameter) => {
      const [name = ''] = parameter.split('=', 1);
      return secretNames.has(decoded(name)) ? `${name}=${hidden}` : parameter;
    });
  return search === '' ? pathname : `${pathname}?${query.join('&')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
