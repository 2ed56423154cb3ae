export function toPublished(
  manifest: { readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>> },
  files: readonly string[],
): Readonly<Record<string, unknown>>;
