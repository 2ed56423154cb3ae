/** A variable of the environment that there must be. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set.`);
  return value;
}

/** Milliseconds from the environment. The tests set shorter ones, so that they need not wait for minutes. */
export const milliseconds = (name: string, standard: number) => Number(process.env[name] ?? standard);
