/** The page's files, except its HTML. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** Builds the page from its source. In the package, a prebuilt page replaces this file. */
export async function pageFiles(): Promise<PageFiles> {
  const { bundlePage } = await import('./bundle.mjs');
  return bundlePage();
}
