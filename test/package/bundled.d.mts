export interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

export interface Bill {
  readonly bomFormat: 'CycloneDX';
  readonly serialNumber: string;
  readonly metadata: { readonly component: { readonly purl: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses: readonly (
      | { readonly license: { readonly id: string } }
      | { readonly expression: string }
    )[];
  }[];
}

export function billOfMaterials(main: Package, bundled: readonly Package[]): Bill;
export function writeNotices(files: readonly string[], dist?: string): void;
