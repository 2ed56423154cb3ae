export interface Identity {
  readonly name: string;
  readonly version: string;
}

export interface Package extends Identity {
  readonly license: string;
}

export interface Bill {
  readonly bomFormat: 'CycloneDX';
  readonly serialNumber: string;
  readonly metadata: { readonly component: { readonly purl: string } };
  readonly components: readonly (Identity & {
    readonly purl: string;
    readonly licenses: readonly (
      | { readonly license: { readonly id: string } }
      | { readonly expression: string }
    )[];
  })[];
}

export interface Manifest {
  readonly inlinedDependencies?: Readonly<Record<string, string | readonly string[]>>;
}

export function findPackages(
  files: readonly string[],
  read?: (folder: string) => Package,
): readonly (Package & { readonly folder: string })[];
export function billOfMaterials(main: Package, bundled: readonly Package[]): Bill;
export function inlinedDependencies(
  bundled: readonly Identity[],
): NonNullable<Manifest['inlinedDependencies']>;
export function inlinedIn(manifest: Manifest): readonly Identity[];
export function differences(
  bundled: readonly Identity[],
  lists: {
    readonly bill: { readonly components: readonly Identity[] };
    readonly licences: string;
    readonly manifest: Manifest;
  },
): readonly string[];
export function lastBundled(): readonly Identity[];
export function writeNotices(files: readonly string[], dist?: string): void;
