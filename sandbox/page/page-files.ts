/** The files of the page, besides its HTML. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** Builds the page from its source. In the package, the built page replaces this file. */
export async function pageFiles(): Promise<PageFiles> {
  const { bundlePage } = await import('./bundle.mjs');
  return bundlePage();
}
