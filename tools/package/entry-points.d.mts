export interface EntryPoint {
  /** What it is called in dist/, and in the table of ceilings. */
  readonly name: string;
  /** What is imported: `payment-platform/webhooks`. Of a command, what is typed. */
  readonly specifier: string;
  /** The source it is built from. */
  readonly source: string;
  /** The files of dist/ that package.json names, types aside. */
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

export function entryPointsOf(manifest: Manifest, sources: readonly string[]): EntryPoints;
export function ceilingsOf(
  ceilings: Ceilings,
  entryPoints: Pick<EntryPoints, 'exports' | 'commands'>,
): [file: string, kilobytes: number][];
export const entryPoints: EntryPoints;
