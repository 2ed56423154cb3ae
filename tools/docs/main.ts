import { readFileSync, writeFileSync } from 'node:fs';
import { buildControlApiDocument } from '../../sandbox/control-api/openapi.js';
import { pageNames } from '../../site/contents.js';
import { configSchema } from './config-schema.js';
import { insertSources } from './inserted.js';
import { listOfPages } from './list-of-pages.js';
import { llms } from './llms.js';
import { openapiDocument } from './openapi.js';
import { pages, toPagePath } from './pages.js';
import { postmanCollection } from './postman.js';
import { printJson } from './print.js';
import { responseSchemas } from './response-schemas.js';
import { portugueseDefaults } from './tables/defaults.js';
import { englishTexts, type Language, languages, outdated, untranslated } from './words.js';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const write = (name: string, content: string) =>
  writeFileSync(new URL(`../../docs/${name}`, import.meta.url), content);

const notStamped =
  'The English is new or has changed. Once the Portuguese says the same: npm run generate -- --translated KEY...';

type Built = readonly [path: string, content: string];

const named = (keys: readonly string[]) => keys.map((key) => `${key}: ${englishTexts().get(key)}`);

/** Builds a page. If it is written by hand, its generated parts are replaced. */
const buildPage = (name: string, language: Language) =>
  pages[name]?.(language) ?? insertSources(read(toPagePath(name, language)), language);

/**
 * Builds the pages, and lists the missing parts.
 *
 * @param missing the parts that operations lack. Their pages cannot be built, so the errors are left out
 */
function buildPages(missing: readonly string[]) {
  const built: Built[] = [];
  const problems = new Set(missing);
  for (const name of pageNames.map((page) => `${page}.md`))
    for (const language of languages)
      try {
        built.push([toPagePath(name, language), buildPage(name, language)]);
      } catch (error) {
        if (missing.length === 0) problems.add((error as Error).message);
      }
  const texts = named(untranslated());
  if (texts.length > 0)
    problems.add(['tools/docs/portuguese.json has no translation of:', ...texts].join('\n'));
  if (problems.size > 0 && outdated().length > 0) problems.add([notStamped, ...named(outdated())].join('\n'));
  return { built, problems: [...problems] };
}

/**
 * Writes the pages and the files for machines. If anything is missing, the files stay as they are.
 *
 * @returns a line for each missing part, page and string
 */
export async function writeDocs(missing: readonly string[]): Promise<readonly string[]> {
  const { built, problems } = buildPages(missing);
  if (problems.length > 0) return problems;
  await writeFiles(built);
  if (outdated().length > 0 && !process.argv.includes('--translated'))
    process.stderr.write(`${notStamped}\n${named(outdated()).join('\n')}\n`);
  return [];
}

async function writeFiles(built: readonly Built[]): Promise<void> {
  write('openapi.json', printJson(await openapiDocument()));
  write('postman.json', printJson(await postmanCollection()));
  const schemas = responseSchemas();
  write('../sandbox/control-api/response-schemas.json', printJson(schemas));
  write('sandbox-openapi.json', printJson(buildControlApiDocument(schemas)));
  write('config.schema.json', printJson(configSchema()));
  write('../sandbox/page/app/defaults.pt.json', printJson(portugueseDefaults()));
  for (const [path, content] of built) write(path, content);
  // Written last, because these files are derived from the pages.
  write('README.md', listOfPages());
  for (const language of languages) write(toPagePath('llms.txt', language), llms(language));
}
