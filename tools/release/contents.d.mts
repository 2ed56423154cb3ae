export function unexpectedFiles(files: readonly string[], entries: readonly string[]): readonly string[];
export function tooLarge(
  bytes: Readonly<Record<string, number>>,
  ceilings: Readonly<Record<string, number>>,
): readonly string[];
export function filesWith(folder: string, words: readonly string[]): readonly string[];
