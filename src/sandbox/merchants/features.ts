import { inspect } from 'node:util';

const features = ['paas', 'split'] as const;

/** A product of the platform that a merchant may or may not have. */
export type Feature = (typeof features)[number];

/** Which products a merchant has; those not named have their defaults: `paas` yes, `split` no. */
export type FeatureOptions = { readonly [Name in Feature]?: boolean };

const defaults: Required<FeatureOptions> = { paas: true, split: false };

/** The products of one merchant. */
export class Features {
  readonly #enabled: Set<Feature>;

  constructor(options: FeatureOptions) {
    for (const name of Object.keys(options)) checked(name);
    this.#enabled = new Set(features.filter((feature) => options[feature] ?? defaults[feature]));
  }

  has(feature: Feature): boolean {
    return this.#enabled.has(feature);
  }

  /** @throws TypeError when there is no such product. */
  set(feature: Feature, enabled: boolean): void {
    checked(feature);
    if (enabled) this.#enabled.add(feature);
    else this.#enabled.delete(feature);
  }
}

function checked(feature: string): void {
  if (features.includes(feature as Feature)) return;
  throw new TypeError(`${inspect(feature)} is no feature (they are ${features.join(', ')}).`);
}
