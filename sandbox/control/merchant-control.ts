import type { AccessTokens, IssuedToken } from '../merchants/access-tokens.js';
import type { Feature } from '../merchants/features.js';
import { findClientId, type MerchantReference } from '../merchants/merchant-reference.js';
import type { Merchants } from '../merchants/merchants.js';

/** The products of a merchant. */
export interface MerchantFeatures extends MerchantReference {
  /** Whether each product is enabled. */
  readonly features: Readonly<Record<Feature, boolean>>;
}

/** Enables and disables products. Without a merchant, a method acts on the sandbox's first merchant. */
export interface FeatureControl {
  /**
   * Enables a product. From then on, the sandbox accepts requests that need it.
   *
   * @throws TypeError for an unknown feature or merchant.
   */
  enable(feature: Feature, merchant?: MerchantReference): void;
  /**
   * Disables a product. From then on, the sandbox returns 403 for requests that need it.
   *
   * @throws TypeError for an unknown feature or merchant.
   */
  disable(feature: Feature, merchant?: MerchantReference): void;
  /** Lists the merchants with their products, in the order they were added. */
  list(): MerchantFeatures[];
}

/** The access tokens that POST /oauth/token issued. */
export interface OAuthControl {
  /** The tokens of all merchants in the order they were issued, without their values. */
  readonly tokens: readonly IssuedToken[];
  /** Revokes every token issued so far. */
  revokeTokens(): void;
}

/** The credentials of merchants. */
export interface CredentialControl<ClientOptions> {
  /**
   * Replaces the client secret. From then on, the sandbox rejects the old secret and the access tokens that
   * were issued for it. Without a merchant, this changes the first credential of the sandbox's first
   * merchant.
   *
   * @returns options with the new secret, for a client in the same process.
   * @throws TypeError for an unknown merchant.
   */
  rotate(merchant?: MerchantReference): ClientOptions;
}

export function createFeatureControl(merchants: Merchants): FeatureControl {
  const set = (enabled: boolean) => (feature: Feature, merchant?: MerchantReference) =>
    merchants.get(findClientId(merchant)).features.set(feature, enabled);
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

export function createOAuthControl(tokens: AccessTokens): OAuthControl {
  return Object.freeze({
    get tokens() {
      return tokens.list();
    },
    revokeTokens: () => tokens.revoke(),
  });
}

export function createCredentialControl<ClientOptions>(
  merchants: Merchants,
  tokens: AccessTokens,
  clientOptions: (merchant: MerchantReference) => ClientOptions,
): CredentialControl<ClientOptions> {
  return Object.freeze({
    rotate: (reference?: MerchantReference) => {
      const { clientId } = merchants.credentials(findClientId(reference));
      merchants.rotate(clientId);
      tokens.revoke(clientId);
      return clientOptions({ clientId });
    },
  });
}
