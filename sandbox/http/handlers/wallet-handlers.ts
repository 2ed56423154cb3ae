import { isRecord } from '../../../src/validation/record.js';
import type { Behaviour } from '../../defaults/all.js';
import type { Certificates } from '../../wallet/certificates.js';
import type { Domains } from '../../wallet/domains.js';
import { json, requireFound } from '../responses.js';

export interface Wallet {
  readonly domains: Domains;
  readonly certificates: Certificates;
  readonly behaviour: Pick<Behaviour, 'statuses'>;
}

/** The body has passed the contract's schema. */
export interface WalletCall {
  readonly body: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

export function walletHandlers<Call extends WalletCall>(getWallet: (call: Call) => Wallet) {
  return {
    'domains.register': {
      run: (call: Call) => {
        const { domainName } = call.body as { domainName: string };
        const { domains, behaviour } = getWallet(call);
        const { domain, isNew } = domains.register(domainName);
        return json(behaviour.statuses[isNew ? 'domainRegistered' : 'domainKnown'], domain);
      },
    },
    'domains.list': {
      run: (call: Call) => json(200, { data: getWallet(call).domains.list() }),
    },
    'certificates.list': {
      run: (call: Call) => json(200, { data: getWallet(call).certificates.list(call.query.type) }),
    },
    'certificates.activate': {
      issues: (call: Call) => {
        const text = certificateIn(call);
        // The contract's schema already reports a missing string.
        return text === undefined ? [] : getWallet(call).certificates.issues(call.params.id ?? '', text);
      },
      run: (call: Call) =>
        shown(getWallet(call).certificates.activate(call.params.id ?? '', certificateIn(call) ?? '')),
    },
    'certificates.revoke': {
      run: (call: Call) => shown(getWallet(call).certificates.revoke(call.params.id ?? '')),
    },
  };
}

const certificateIn = ({ body }: WalletCall): string | undefined =>
  isRecord(body) && typeof body.certificate === 'string' ? body.certificate : undefined;

const shown = (certificate: object | undefined): Response =>
  json(200, requireFound(certificate, 'No certificate has this id.'));
