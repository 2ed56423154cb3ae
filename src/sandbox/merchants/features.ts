import { inspect } from 'node:util';
import { aBoolean, type Readers } from '../../input/options.js';

const features = ['paas', 'split'] as const;

/** A product of the platform that a merchant may or may not have. */
export type Feature = (typeof features)[number];

/** Which products a merchant has; those not named have their defaults: `paas` yes, `split` no. */
export type FeatureOptions = { readonly [Name in Feature]?: boolean | undefined };

export const featureReaders: Readers<FeatureOptions> = { paas: aBoolean, split: aBoolean };

const defaults: Readonly<Record<Feature, boolean>> = { paas: true, split: false };

/** The products of one merchant. */
export class Features {
  readonly #enabled: Set<Feature>;

  constructor(options: FeatureOptions) {
    this.#enabled = new Set(features.filter((feature) => options[feature] ?? defaults[feature]));
  }

  has(feature: Feature): boolean {
    return this.#enabled.has(feature);
  }

  /** @throws TypeError when there is no such product. */
  set(feature: Feature, enabled: boolean): void {
    if (!features.includes(feature)) {
      throw new TypeError(`${inspect(feature)} is an unknown feature (known: ${features.join(', ')}).`);
    }
    if (enabled) this.#enabled.add(feature);
    else this.#enabled.delete(feature);
  }
}
