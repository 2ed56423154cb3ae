import { isRecord } from '../../input/record.js';
import type { AccessTokens, IssuedToken } from '../merchants/access-tokens.js';
import type { Feature } from '../merchants/features.js';
import type { Merchant } from '../merchants/merchant.js';
import type { Merchants } from '../merchants/merchants.js';

/** Names a merchant of the sandbox by its client id. `addMerchant` returns one. */
export interface MerchantReference {
  /** The public identifier of the merchant's credential. */
  readonly clientId: string;
}

/** The products of a merchant. */
export interface MerchantFeatures extends MerchantReference {
  /** Each product, and whether it is enabled. */
  readonly features: Readonly<Record<Feature, boolean>>;
}

/** Enables and disables products. Without a merchant, for the sandbox's first one. */
export interface FeatureControl {
  /**
   * Enables a product: the requests that need it are accepted from now on.
   *
   * @throws TypeError for an unknown feature or merchant.
   */
  enable(feature: Feature, merchant?: MerchantReference): void;
  /**
   * Disables a product: the requests that need it are answered 403 from now on.
   *
   * @throws TypeError for an unknown feature or merchant.
   */
  disable(feature: Feature, merchant?: MerchantReference): void;
  /** The merchants with their products, in the order they were added. */
  list(): MerchantFeatures[];
}

/** The access tokens of POST /oauth/token. */
export interface OAuthControl {
  /** Of all merchants, in the order they were issued, without the tokens themselves. */
  readonly tokens: readonly IssuedToken[];
  /** Makes every token issued so far invalid. */
  revokeTokens(): void;
}

/** The credentials of merchants. */
export interface CredentialControl<ClientOptions> {
  /**
   * Replaces the client secret: the old one is refused from now on, and so are the tokens it obtained.
   * Without a merchant, for the first credential of the sandbox's first one.
   *
   * @returns options with the new secret, for a client in the same process.
   * @throws TypeError for an unknown merchant.
   */
  rotate(merchant?: MerchantReference): ClientOptions;
}

/**
 * The client id of a reference; undefined without one, which means the first merchant. A reference without a
 * client id is a mistake, not the first merchant.
 */
export function clientIdOf(reference: MerchantReference | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const clientId: unknown = isRecord(reference) ? reference.clientId : undefined;
  if (typeof clientId === 'string') return clientId;
  throw new TypeError('The merchant must be an object with a clientId, such as addMerchant returns.');
}

export const merchantOf = (merchants: Merchants, reference: MerchantReference | undefined): Merchant =>
  merchants.get(clientIdOf(reference));

export function featureControl(merchants: Merchants): FeatureControl {
  const set = (enabled: boolean) => (feature: Feature, merchant?: MerchantReference) =>
    merchantOf(merchants, merchant).features.set(feature, enabled);
  return Object.freeze({
    enable: set(true),
    disable: set(false),
    list: () =>
      merchants.list().map((merchant) => ({
        clientId: merchants.mainClientId(merchant),
        features: merchant.features.show(),
      })),
  });
}

export function oauthControl(tokens: AccessTokens): OAuthControl {
  return Object.freeze({
    get tokens() {
      return tokens.list();
    },
    revokeTokens: () => tokens.revoke(),
  });
}

export function credentialControl<ClientOptions>(
  merchants: Merchants,
  tokens: AccessTokens,
  clientOptions: (merchant: MerchantReference) => ClientOptions,
): CredentialControl<ClientOptions> {
  return Object.freeze({
    rotate: (reference?: MerchantReference) => {
      const { clientId } = merchants.credentials(clientIdOf(reference));
      merchants.rotate(clientId);
      tokens.revoke(clientId);
      return clientOptions({ clientId });
    },
  });
}
