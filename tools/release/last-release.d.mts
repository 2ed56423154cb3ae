export function git(folder: string, ...args: string[]): string | undefined;
export function lastRelease(folder: string): string | undefined;
