import { inspect } from '#sandbox-runtime';
import { booleanReader, type OptionReaders } from '../../src/validation/options.js';
import { Cell } from '../state/cell.js';
import type { TableFactory } from '../state/state.js';

export const featureNames = ['paas', 'split'] as const;

/** A product of the platform that is enabled for some merchants: sub-accounts (`paas`) and split rules. */
export type Feature = (typeof featureNames)[number];

/** Whether each product is enabled. Default: `paas` true, `split` false. */
export type FeatureOptions = { readonly [Name in Feature]?: boolean | undefined };

export const featureReaders: OptionReaders<FeatureOptions> = { paas: booleanReader, split: booleanReader };

const defaults: Readonly<Record<Feature, boolean>> = { paas: true, split: false };

export class Features {
  #enabled = new Set<Feature>();
  readonly #changed: () => void;

  constructor(options: FeatureOptions, tables: TableFactory) {
    const first = featureNames.filter((feature) => options[feature] ?? defaults[feature]);
    const enable = (enabled: readonly Feature[] = first) => {
      this.#enabled = new Set(enabled);
    };
    enable();
    this.#changed = tables.keep('features', new Cell<readonly Feature[]>(() => [...this.#enabled], enable));
  }

  show(): Record<Feature, boolean> {
    return { paas: this.has('paas'), split: this.has('split') };
  }

  has(feature: Feature): boolean {
    return this.#enabled.has(feature);
  }

  set(feature: Feature, enabled: boolean): void {
    if (!featureNames.includes(feature)) {
      throw new TypeError(`${inspect(feature)} is an unknown feature (known: ${featureNames.join(', ')}).`);
    }
    if (enabled) this.#enabled.add(feature);
    else this.#enabled.delete(feature);
    this.#changed();
  }
}
