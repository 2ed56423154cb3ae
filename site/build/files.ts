import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the site serves beside its pages: descriptions of the API, and the texts for programs. */
export function writeFiles(docs: string, folder: string): void {
  const names = ['openapi.json', 'sandbox-openapi.json', 'config.schema.json'];
  for (const name of [...names, 'llms.txt', 'llms-full.txt', 'pt/llms.txt', 'pt/llms-full.txt'])
    copyFileSync(join(docs, name), join(folder, name));
}
