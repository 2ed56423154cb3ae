import { inspect } from '#sandbox-runtime';
import type { Certificate } from '../../src/contract/certificates/types.js';
import type { Domain } from '../../src/contract/domains/types.js';
import type { OptionReaders } from '../../src/validation/options.js';
import { aText, readCheckedOptions } from '../arguments/checked-options.js';
import { unknownId } from '../arguments/control-errors.js';
import type { Wallet } from '../http/handlers/wallet-handlers.js';
import type { CertificateAuthority, IssuedCertificate } from '../wallet/certificate-authority.js';
import { type CertificateRequest, certificateReaders } from '../wallet/certificates.js';
import type { DomainVerificationOptions } from '../wallet/domains.js';

/** The wallet's verification of domains. */
export interface DomainControl {
  /**
   * Fetches the verification file from the merchant's server, as the wallet does. Resolves with the verified
   * domain, or with a failed domain and its `lastVerificationError`. Waits at most 10 seconds, reads at most
   * 64 KiB, and follows no redirects.
   *
   * @param domain the domain's id, or its name if only one merchant has registered it.
   * @throws Error for an unknown domain, and for a name that several merchants have registered.
   * @throws TypeError for an unknown option, and if `from` is not an origin.
   */
  verify(domain: string, options?: DomainVerificationOptions): Promise<Domain>;
  /** Lists the domains of all merchants, grouped by merchant in the order of registration. */
  list(): Domain[];
}

/** Options of a certificate record, with its merchant. */
export interface CertificateCreation extends CertificateRequest {
  /** The merchant's client id. Default: the sandbox's first merchant. */
  clientId?: string | undefined;
}

const creationReaders: OptionReaders<CertificateCreation> = { ...certificateReaders, clientId: aText };

/** Certificate operations without an endpoint in the API docs. */
export interface CertificateControl {
  /**
   * Creates a record with the status `issued`, a new P-256 key and its PKCS#10 request in
   * `signingRequestPem`.
   *
   * @throws TypeError that names every problem of the options, and for an unknown merchant.
   */
  create(request?: CertificateCreation): Promise<Certificate>;
  /**
   * Issues an X.509 certificate from the sandbox's test authority, valid for 760 days from now on the
   * sandbox's clock.
   *
   * @throws Error if the string is not a PKCS#10 request in PEM, or not signed with its own key.
   */
  issue(signingRequestPem: string): Promise<IssuedCertificate>;
  /** Lists the certificates of all merchants, grouped by merchant in the order of creation. */
  list(): Certificate[];
  /**
   * Returns a record in any status.
   *
   * @throws Error for an unknown id.
   */
  retrieve(id: string): Certificate;
}

export interface WalletControlParts {
  readonly certificateAuthority: CertificateAuthority;
  readonly wallets: () => Iterable<Wallet>;
  /** Without a client id, returns the first merchant's wallet. */
  readonly findWallet: (clientId: string | undefined) => Wallet | undefined;
}

export function createWalletControl({ certificateAuthority, wallets, findWallet }: WalletControlParts): {
  readonly domains: DomainControl;
  readonly certificates: CertificateControl;
} {
  const certificates = () => Array.from(wallets()).flatMap((wallet) => wallet.certificates.list());
  return {
    domains: Object.freeze({
      verify: async (domain: string, options?: DomainVerificationOptions) => {
        const { owner, id } = toRegistration(domain, wallets());
        return owner.verify(id, options);
      },
      list: () => Array.from(wallets()).flatMap((wallet) => wallet.domains.list()),
    }),
    certificates: Object.freeze({
      create: async (creation: CertificateCreation = {}) => {
        const { clientId, ...request } = readCheckedOptions(
          'control.certificates.create',
          creation,
          creationReaders,
        );
        const wallet = findWallet(clientId);
        if (wallet === undefined)
          throw new TypeError(`No merchant of this sandbox has the client id ${inspect(clientId)}.`);
        return wallet.certificates.create(request);
      },
      issue: (signingRequestPem: string) => certificateAuthority.issue(signingRequestPem),
      list: certificates,
      retrieve: (id: string) => {
        const certificate = certificates().find((record) => record.id === id);
        if (certificate === undefined) throw unknownId('certificate', id);
        return certificate;
      },
    }),
  };
}

function toRegistration(domain: string, wallets: Iterable<Wallet>) {
  const matches = Array.from(wallets).flatMap(({ domains }) =>
    domains
      .list()
      .filter(({ id, domainName }) => id === domain || domainName.toLowerCase() === domain.toLowerCase())
      .map(({ id }) => ({ owner: domains, id })),
  );
  const [match] = matches;
  if (match === undefined) throw unknownId('domain', domain);
  if (matches.length > 1) {
    throw new Error(`${matches.length} merchants have registered ${domain}. Use its id.`);
  }
  return match;
}
