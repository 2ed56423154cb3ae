export function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly seconds?: number },
): Promise<string>;

export function serve(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly address: RegExp; readonly seconds?: number },
): Promise<{ readonly url: string; readonly printed: () => string; readonly stop: () => Promise<void> }>;
