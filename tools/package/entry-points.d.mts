export interface EntryPoint {
  /** The name in dist/, and in the table of size limits. */
  readonly name: string;
  /** The import specifier, such as `payment-platform/webhooks`, or a command's name. */
  readonly specifier: string;
  /** The path of its source. */
  readonly source: string;
  /** The files of dist/ that package.json names, except types. */
  readonly files: readonly string[];
}

export interface EntryPoints {
  readonly exports: readonly EntryPoint[];
  readonly commands: readonly EntryPoint[];
}

export interface Manifest {
  readonly name: string;
  readonly exports?: object;
  readonly bin?: string | Readonly<Record<string, string>>;
}

export type Ceilings = Readonly<Record<string, Readonly<Record<string, number>>>>;

export function readEntryPoints(manifest: Manifest, sources: readonly string[]): EntryPoints;
export function listCeilings(
  ceilings: Ceilings,
  entryPoints: Pick<EntryPoints, 'exports' | 'commands'>,
): [file: string, kilobytes: number][];
export const entryPoints: EntryPoints;
