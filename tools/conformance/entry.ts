/** A statement of the API docs, in our own wording. */
export interface Entry {
  /** A unique id that never changes. */
  readonly id: string;
  /** The heading in the API docs. */
  readonly section: string;
  readonly text: string;
  /** The checks of the statement, by their `statement`. */
  readonly triedBy?: readonly string[];
  /** The reason why the statement cannot be checked from outside. */
  readonly untried?: string;
}

/** A statement, with its checks or the reason why it has none. */
export type Line = readonly [text: string, by: string | readonly string[] | { readonly untried: string }];

/** Numbers the statements under a heading. */
export const under = (section: string, prefix: string, lines: readonly Line[]): Entry[] =>
  lines.map(([text, by], index) => {
    const about = { id: `${prefix}-${index + 1}`, section, text };
    if (typeof by === 'string') return { ...about, triedBy: [by] };
    return 'untried' in by ? { ...about, untried: by.untried } : { ...about, triedBy: by };
  });

export const untried = (why: string) => ({ untried: why });

// Reasons that several statements share.

export const describes = untried('It describes; what it leads to is tried where it is stated.');
export const notShown = untried('The document shows no name or shape that a request could use.');
export const ofKyc = untried('It needs a decision of the KYC.');
export const ofWallet = untried('It needs a wallet, a domain or a certificate of an authority.');
export const ofProduct = untried('It depends on the products of the merchant.');
