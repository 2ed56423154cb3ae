/** Without the HTML. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** In the package, a prebuilt page replaces this file. */
export async function pageFiles(): Promise<PageFiles> {
  const { bundlePage } = await import('./bundle.mjs');
  return bundlePage();
}
