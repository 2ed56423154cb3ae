import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MiniSearch } from './mcp-sdk.js';
import { explainMessage } from './messages.js';
import { type Language, listPages, readPage, type Section, splitPage } from './pages.js';
import { asPart } from './results.js';
import { defineTool, offsetOf, type Tool } from './tool.js';

const language = {
  type: 'string',
  enum: ['en', 'pt'],
  description: 'The language of the page: English (default) or Brazilian Portuguese.',
};

const languageOf = (value: unknown): Language => (value === 'pt' ? 'pt' : 'en');

/** A section with its text without code: long programs match every question. */
interface Indexed extends Section {
  readonly prose: string;
}

/** The maximum number of sections that a search returns, and of characters of each. */
const found = { sections: 5, characters: 1_400 };

/** Creates the tools that read the package's pages and declarations. @param root the package's folder */
export function docsTools(root: string): Tool[] {
  const docs = join(root, 'docs');
  const indexes = new Map<Language, MiniSearch<Indexed>>();
  const indexOf = (chosen: Language) => {
    const index = indexes.get(chosen) ?? buildIndex(docs, chosen);
    indexes.set(chosen, index);
    return index;
  };
  return [
    defineTool(
      'search_docs',
      'Search the documentation of payment-platform. Returns the best sections with their sample. Start here for any question about Pix, cards, boleto, webhooks, refunds, sellers, idempotency or errors.',
      'reads',
      {
        required: { query: { type: 'string', description: 'A few words, in English or Portuguese.' } },
        optional: { language },
      },
      async ({ query, language: chosen }) => {
        const results = indexOf(languageOf(chosen)).search(String(query)).slice(0, found.sections);
        if (results.length === 0) return 'Nothing found. Use other words, or read_page with the page README.';
        const sections = results.map(
          ({ id, title, text }) => `## ${title} (${id})\n\n${shorten(text as string)}`,
        );
        return asPart(sections.join('\n\n'), 0);
      },
    ),
    defineTool(
      'read_page',
      'Read a page of the documentation, such as first-pix, webhooks, durable-payments, go-live or errors. README lists all pages, and shop is a whole shop.',
      'reads',
      {
        required: { page: { type: 'string', description: 'The name of the page, such as `webhooks`.' } },
        optional: { language },
        isLong: true,
      },
      async (input) =>
        asPart(readPage(docs, String(input.page), languageOf(input.language)), offsetOf(input)),
    ),
    defineTool(
      'read_type',
      'Read the declaration of a type, class or function of the package, with its comments.',
      'reads',
      {
        required: {
          name: { type: 'string', description: 'The name, such as `PixPayment` or `createReceiver`.' },
        },
        isLong: true,
      },
      async (input) => asPart(findDeclaration(join(root, 'dist'), String(input.name)), offsetOf(input)),
    ),
    defineTool(
      'explain_error',
      'Explain an error of the package: pass its message or its code as it was printed. Says whether the call was executed, and how to continue.',
      'reads',
      {
        required: {
          error: { type: 'string', description: 'The message, or a code such as `rate_limited`.' },
        },
      },
      async ({ error }) => asPart(explainMessage(docs, String(error)), 0),
    ),
  ];
}

const shorten = (text: string) =>
  text.length <= found.characters ? text : `${text.slice(0, found.characters)}…\n(read_page shows the rest)`;

/** Pages that list everything, so that every question matches them. */
const lists = /^(README|messages|methods|options|control-api|command|openapi|undocumented|glossary)/;

function buildIndex(docs: string, language: Language): MiniSearch<Indexed> {
  const index = new MiniSearch<Indexed>({
    fields: ['title', 'page', 'prose'],
    storeFields: ['title', 'text', 'page'],
    processTerm: (term) => term.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
    searchOptions: {
      boost: { title: 3, page: 2 },
      prefix: true,
      fuzzy: 0.15,
      boostDocument: (id) => (lists.test(String(id)) ? 0.4 : 1),
    },
  });
  const seen = new Set<string>();
  for (const page of listPages(docs, language)) {
    for (const section of splitPage(page, readPage(docs, page, language))) {
      if (seen.has(section.id)) continue;
      seen.add(section.id);
      index.add({ ...section, prose: section.text.replace(/^```[\s\S]*?^```/gm, '') });
    }
  }
  return index;
}

/** Finds a declaration in the package's declaration files. */
const anyDeclaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|type|function|const) (\w+)/gm;

function findDeclaration(dist: string, name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error('Pass the name of a type, class or function.');
  const files = existsSync(dist) ? readdirSync(dist).filter((file) => file.endsWith('.d.cts')) : [];
  const start = new RegExp(
    `^(?:export )?(?:declare )?(?:abstract )?(?:interface|class|type|function|const) ${name}\\b`,
    'm',
  );
  const names = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(dist, file), 'utf8');
    for (const [, other = ''] of text.matchAll(anyDeclaration)) names.add(other);
    const at = text.search(start);
    if (at < 0) continue;
    const comment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/.exec(text.slice(0, at))?.[0] ?? '';
    const [line = ''] = text.slice(at).split('\n', 1);
    // A block ends at the first brace without indentation.
    const end = line.endsWith('{') ? /^\}(?:.*;)?$/m : /;$/m;
    const rest = text.slice(at);
    const { index, 0: last } = end.exec(rest) ?? { index: rest.length, 0: '' };
    return comment + rest.slice(0, index + last.length);
  }
  const wanted = wordsOf(name);
  const shared = (other: string) => wordsOf(other).filter((word) => wanted.includes(word)).length;
  const most = Math.max(0, ...[...names].map(shared));
  const similar = most === 0 ? [] : [...names].filter((other) => shared(other) === most);
  const hint = similar.length === 0 ? '' : ` Similar: ${similar.sort().slice(0, 12).join(', ')}.`;
  throw new Error(`No declaration of the package is called ${name}.${hint}`);
}

/** Splits a name such as `DurablePaymentsOptions` into words in the singular. */
const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase().replace(/s$/, ''));
