import { inspect } from 'node:util';
import type { Certificate } from '../../contract/certificates.js';
import type { Domain } from '../../contract/domains.js';
import type { Readers } from '../../input/options.js';
import { aText, checkedOptions } from '../checked-options.js';
import type { Authority, IssuedCertificate } from './authority.js';
import { type CertificateRequest, certificateReaders } from './certificates.js';
import type { DomainVerificationOptions } from './domains.js';
import type { Wallet } from './wallet-handlers.js';

/** What the wallet does about domains. Each throws an Error on a domain that is not registered. */
export interface DomainControl {
  /**
   * Fetches the verification file from the merchant's server, as the wallet does, and resolves with the
   * domain verified, or failed with `lastVerificationError`. At most 10 seconds, 64 KB, no redirects.
   *
   * @param domain its id, or its name where only one merchant has registered it.
   * @throws TypeError for an unknown option, and when `from` is not an origin.
   */
  verify(domain: string, options?: DomainVerificationOptions): Promise<Domain>;
  /** Of all merchants, in the order of registration. */
  list(): Domain[];
}

/** A certificate record to create, and for whom. */
export interface CertificateCreation extends CertificateRequest {
  /** The merchant's. Default: the sandbox's first merchant. */
  clientId?: string | undefined;
}

const creationReaders: Readers<CertificateCreation> = { ...certificateReaders, clientId: aText };

/** What has no endpoint in the API document: creating a record, and the authority that issues certificates. */
export interface CertificateControl {
  /**
   * Creates a record in the state `issued`, with a PKCS#10 request over a new P-256 key in `signingRequestPem`.
   *
   * @throws TypeError for options that break the rules, and for an unknown merchant.
   */
  create(request?: CertificateCreation): Promise<Certificate>;
  /**
   * The sandbox's test authority issues an X.509 certificate, valid from now on the sandbox's clock.
   *
   * @throws Error when the text is no PKCS#10 request in PEM, or is not signed with its own key.
   */
  issue(signingRequestPem: string): Promise<IssuedCertificate>;
  /** Of all merchants, in the order of creation. */
  list(): Certificate[];
  /** @throws Error on an unknown id. */
  retrieve(id: string): Certificate;
}

/** Where the controls find what they act on. */
export interface WalletControlParts {
  readonly authority: Authority;
  /** Of all merchants, the first one first. */
  readonly wallets: () => Iterable<Wallet>;
  /** Of one merchant; of the first one without a client id. */
  readonly walletOf: (clientId: string | undefined) => Wallet | undefined;
}

/** The parts `domains` and `certificates` of the sandbox's controls. */
export function walletControl({ authority, wallets, walletOf }: WalletControlParts): {
  readonly domains: DomainControl;
  readonly certificates: CertificateControl;
} {
  const certificates = () => Array.from(wallets()).flatMap((wallet) => wallet.certificates.list());
  return {
    domains: Object.freeze({
      verify: async (domain: string, options?: DomainVerificationOptions) => {
        const { owner, id } = registrationOf(domain, wallets());
        return owner.verify(id, options);
      },
      list: () => Array.from(wallets()).flatMap((wallet) => wallet.domains.list()),
    }),
    certificates: Object.freeze({
      create: async (creation: CertificateCreation = {}) => {
        const { clientId, ...request } = checkedOptions(
          'control.certificates.create',
          creation,
          creationReaders,
        );
        const wallet = walletOf(clientId);
        if (wallet === undefined) throw new TypeError(`No merchant has the client id ${inspect(clientId)}.`);
        return wallet.certificates.create(request);
      },
      issue: (signingRequestPem: string) => authority.issue(signingRequestPem),
      list: certificates,
      retrieve: (id: string) => {
        const certificate = certificates().find((record) => record.id === id);
        if (certificate === undefined)
          throw new Error(`There is no certificate ${inspect(id)} in this sandbox.`);
        return certificate;
      },
    }),
  };
}

function registrationOf(domain: string, wallets: Iterable<Wallet>) {
  const matches = Array.from(wallets).flatMap(({ domains }) =>
    domains
      .list()
      .filter(({ id, domainName }) => id === domain || domainName.toLowerCase() === domain.toLowerCase())
      .map(({ id }) => ({ owner: domains, id })),
  );
  const [match] = matches;
  if (match === undefined) throw new Error(`There is no domain ${inspect(domain)} in this sandbox.`);
  if (matches.length > 1) {
    throw new Error(`${matches.length} merchants have registered ${domain}: name it by its id.`);
  }
  return match;
}
