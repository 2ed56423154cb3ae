import { isLoopback } from './contract/patterns.js';
import { type Issue, Parsed } from './validation/issue.js';
import type { OptionReader } from './validation/options.js';

export const baseUrlReader: OptionReader<string> = {
  read: (value) => {
    const toIssues = (...messages: readonly string[]) => messages.map((message) => ({ path: '', message }));
    if (typeof value !== 'string' || !URL.canParse(value))
      return new Parsed<string>(
        undefined,
        toIssues('must be an absolute URL, such as https://api.platform.example'),
      );
    const { username, password, search, hash, protocol, pathname } = new URL(value);
    const isHttp = protocol === 'https:' || protocol === 'http:';
    const issues = toIssues(
      ...(isHttp ? [] : ['must begin with https://']),
      ...(username === '' && password === '' ? [] : ['must not contain a user name or password']),
      ...(search === '' && hash === '' ? [] : ['must not contain a query or a fragment']),
      ...(/\/v\d+\/?$/.test(pathname)
        ? ['must not end in a version: the paths of the operations begin with it']
        : []),
    );
    // A URL with issues is also returned. `insecureIssues` checks it, so that all problems are reported at
    // once.
    return new Parsed(isHttp ? value : undefined, issues);
  },
};

export function insecureIssues(baseUrl: string | undefined, insecureHosts: readonly string[] = []): Issue[] {
  if (baseUrl === undefined) return [];
  const url = new URL(baseUrl);
  if (url.protocol === 'https:' || isLoopback(url) || insecureHosts.includes(url.hostname)) return [];
  const message = `must be https (http is for loopback, and for hosts that insecureHosts names): ${url.origin} would carry the secret in the clear`;
  return [{ path: 'baseUrl', message }];
}

/**
 * Matches a host name, or IPv6 in brackets. A label consists of letters, digits, hyphens and underscores, as
 * in docker-compose service names.
 */
const hostName = /^(?:[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?(?:\.(?!$)|$)){1,64}$|^\[[0-9a-f:.]{2,45}\]$/;

/**
 * Checks that a string is a host name as `URL.hostname` writes it. Capitals, `127.1` and long forms of IPv6
 * are rejected, so that the SDK compares the same name that it connects to.
 */
function isHostName(value: unknown): value is string {
  if (typeof value !== 'string' || !hostName.test(value)) return false;
  const url = `http://${value}/`;
  return URL.canParse(url) && new URL(url).hostname === value;
}

const hostRule =
  "must be a host name as it stands in baseUrl, such as 'sandbox': in lower case, without scheme, port, path, wildcard or final dot";

const maxHosts = 100;

export const hostNames: OptionReader<readonly string[]> = {
  read: (value) => {
    if (!Array.isArray(value) || value.length > maxHosts) {
      const message = `must be a list of at most ${maxHosts} host names`;
      return new Parsed<readonly string[]>(undefined, [{ path: '', message }]);
    }
    const hosts: unknown[] = Array.from(value);
    const issues = hosts.flatMap((host, index) =>
      isHostName(host) ? [] : [{ path: String(index), message: hostRule }],
    );
    return new Parsed(hosts.filter(isHostName), issues);
  },
};
