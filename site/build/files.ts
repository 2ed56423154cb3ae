import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { llms, llmsFull } from '../../tools/docs/llms';

/** What the site serves beside its pages: descriptions of the API, and the texts for programs. */
export function writeFiles(docs: string, folder: string): void {
  for (const name of ['openapi.json', 'postman.json', 'sandbox-openapi.json', 'config.schema.json'])
    copyFileSync(join(docs, name), join(folder, name));
  // On the site, pages have no ending.
  const onSite = (text: string) => text.replaceAll('.md)', ')');
  writeFileSync(join(folder, 'llms.txt'), onSite(llms('en')));
  writeFileSync(join(folder, 'pt/llms.txt'), onSite(llms('pt')));
  // The package has the pages as files: only the site has them in one.
  writeFileSync(join(folder, 'llms-full.txt'), llmsFull('en'));
  writeFileSync(join(folder, 'pt/llms-full.txt'), llmsFull('pt'));
}
