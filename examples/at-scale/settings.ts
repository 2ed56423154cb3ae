/** Reads a required environment variable. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set.`);
  return value;
}

/** Reads a number from the environment. Tests set smaller ones. */
export const number = (name: string, standard: number) => Number(process.env[name] ?? standard);

/** Reads milliseconds from the environment. Tests set shorter times. */
export const milliseconds = number;
