const warned = new Set<string>();

/**
 * Chooses between the values of an option under its own and its former name. The former name is announced once.
 *
 * @returns the value, or the message for an option under both names
 */
export function chooseName(
  given: unknown,
  former: unknown,
  formerName: string,
  name: string,
): { readonly value: unknown } | { readonly problem: string } {
  if (former === undefined) return { value: given };
  if (given !== undefined) return { problem: `is also passed as ${formerName}, its former name` };
  const warning = `payment-platform: the option ${formerName} is now called ${name}.`;
  // biome-ignore lint/suspicious/noConsole: nothing else shows that the name will stop working
  if (!warned.has(warning)) console.warn(warning);
  warned.add(warning);
  return { value: former };
}
