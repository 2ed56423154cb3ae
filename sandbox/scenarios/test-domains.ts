/** In milliseconds on the sandbox's clock, from the registration. */
export const domainOutcomeAfter = 10_000;

/**
 * Domains whose verification ends on its own, on the sandbox's clock. A name such as `verified.NAME.test` or
 * `fails.NAME.example` has the same outcome.
 */
export const testDomains = Object.freeze({
  /** Verified 10 seconds after its registration. */
  verified: 'verified.shop.example',
  /** Failed 10 seconds after its registration. */
  fails: 'fails.shop.example',
});

const form = /^(verified|fails)\..+\.(?:test|example)$/i;

/** Undefined if the verification waits for `control.domains.verify`. */
export const findDomainOutcome = (domainName: string): 'verified' | 'fails' | undefined =>
  form.exec(domainName)?.[1]?.toLowerCase() as 'verified' | 'fails' | undefined;
