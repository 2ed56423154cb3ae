import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { llms, llmsFull } from '../../docs/build/llms';

/** What the site serves beside its pages: descriptions of the API, and the texts for programs. */
export function writeFiles(docs: string, folder: string): void {
  for (const name of ['openapi.json', 'sandbox-openapi.json', 'config.schema.json'])
    copyFileSync(join(docs, name), join(folder, name));
  for (const language of ['en', 'pt'] as const) {
    const target = language === 'pt' ? join(folder, 'pt') : folder;
    writeFileSync(join(target, 'llms.txt'), llms(language));
    writeFileSync(join(target, 'llms-full.txt'), llmsFull(language));
  }
}
