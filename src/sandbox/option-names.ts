/** @throws TypeError for an option that does not exist. */
export function demandNames(owner: string, given: object, names: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    throw new TypeError(`${name} is no option of ${owner} (they are ${names.join(', ')}).`);
  }
}
