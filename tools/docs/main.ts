import { readFileSync, writeFileSync } from 'node:fs';
import { buildControlApiDocument } from '../../sandbox/control-api/openapi.js';
import { pageNames } from '../../site/contents.js';
import { configSchema } from './config-schema.js';
import { portugueseDefaults } from './defaults-page.js';
import { insertSources } from './inserted.js';
import { listOfPages } from './list-of-pages.js';
import { llms } from './llms.js';
import { openapiDocument } from './openapi.js';
import { pages, toPagePath } from './pages.js';
import { postmanCollection } from './postman.js';
import { printJson } from './print.js';
import { englishTexts, languages, outdated, untranslated } from './words.js';

const write = (name: string, content: string) =>
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), content);

// Built before anything is written, so that a missing translation leaves the files as they are.
const built: [path: string, content: string][] = [];
for (const [name, page] of Object.entries(pages))
  for (const language of languages) built.push([toPagePath(name, language), await page(language)]);
const named = (keys: readonly string[]) => keys.map((key) => `${key}: ${englishTexts().get(key)}`).join('\n');
if (untranslated().length > 0)
  throw new Error(`tools/docs/portuguese.json has no translation of:\n${named(untranslated())}`);

write('openapi.json', printJson(await openapiDocument()));
write('postman.json', printJson(await postmanCollection()));
write('sandbox-openapi.json', printJson(buildControlApiDocument()));
write('config.schema.json', printJson(configSchema()));
write('../sandbox/page/app/defaults.pt.json', printJson(portugueseDefaults()));
for (const [path, content] of built) write(path, content);
for (const name of pageNames.filter((name) => pages[`${name}.md`] === undefined))
  for (const language of languages) {
    const path = toPagePath(`${name}.md`, language);
    const page = readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
    write(path, insertSources(page, language));
  }
// Written last, because these files are derived from the pages.
write('README.md', listOfPages());
for (const language of languages) write(toPagePath('llms.txt', language), llms(language));

if (outdated().length > 0 && !process.argv.includes('--translated'))
  process.stderr.write(
    `The English text changed. Translate it, then: npm run generate -- --translated KEY...\n${named(outdated())}\n`,
  );
