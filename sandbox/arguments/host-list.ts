import { inspect } from '#sandbox-runtime';
import { Parsed } from '../../src/validation/issue.js';
import type { OptionReader } from '../../src/validation/options.js';

export const hostList: OptionReader<readonly string[]> = {
  read: (value) => {
    if (!Array.isArray(value))
      return new Parsed<string[]>(undefined, [{ path: '', message: 'must be a list' }]);
    const hosts: unknown[] = Array.from(value);
    const issues = hosts.flatMap((host, index) =>
      isHost(host) ? [] : [{ path: String(index), message: `${hostRule}, not ${inspect(host)}` }],
    );
    return new Parsed(hosts.filter(isHost), issues);
  },
};

const hostRule = "must be a name such as 'sandbox' or 'sandbox:4010', without a scheme";

const isHost = (host: unknown): host is string =>
  typeof host === 'string' && (/^[a-z0-9_.-]+(:\d+)?$/i.test(host) || isBracketed(host));

/** An IPv6 address in brackets, as in a URL. */
const isBracketed = (host: string) => {
  const [, address = ''] = /^\[([0-9a-f:.]+)\](:\d+)?$/i.exec(host) ?? [];
  return URL.canParse(`http://[${address}]`);
};
