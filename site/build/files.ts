import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { llms, llmsFull } from '../../tools/docs/llms';

/** Files that the site serves in addition to its pages: API descriptions, and text for programs. */
export function writeFiles(docs: string, folder: string): void {
  for (const name of ['openapi.json', 'postman.json', 'sandbox-openapi.json', 'config.schema.json'])
    copyFileSync(join(docs, name), join(folder, name));
  // The site's URLs have no file extension.
  const onSite = (text: string) => text.replaceAll('.md)', ')');
  writeFileSync(join(folder, 'llms.txt'), onSite(llms('en')));
  writeFileSync(join(folder, 'pt/llms.txt'), onSite(llms('pt')));
  // The package contains separate pages. Only the site has one file with all of them.
  writeFileSync(join(folder, 'llms-full.txt'), llmsFull('en'));
  writeFileSync(join(folder, 'pt/llms-full.txt'), llmsFull('pt'));
}
