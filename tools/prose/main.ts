/**
 * Counts lines with discouraged sentence shapes (docs/maintainers/writing.md) in comments, messages, test
 * titles and pages. `limits.json` has the number for each file, which can only fall. Prints the lines of a
 * file that has more, and fails, unless it is called with `--warn`. `--write` stores lower numbers.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { portugueseShapes } from './portuguese.js';
import { shapes } from './shapes.js';

const limitsFile = new URL('limits.json', import.meta.url);

interface Found {
  readonly line: number;
  readonly shape: string;
  readonly text: string;
}

const isPortuguese = (path: string) => /\/pt(?:\/|\.ts$)|pt-BR/.test(path);

/** Checks for a file that is not counted. A generated page, for example, follows its sources. */
const isLeftOut = (path: string, text: string) =>
  /generated\/|^docs\/(?:pt\/)?api-document|^tools\/(?:prose|compatibility\/stored)\/|texts\/en\.ts/.test(
    path,
  ) || /^(?:<!-- translates.*-->\n+)?<!-- Generated/.test(text);

/** Yields the prose of a source, which is its comments and longer strings. */
function* proseOfSource(text: string): Generator<[line: number, prose: string]> {
  let isInside = false;
  for (const [index, line] of text.split('\n').entries()) {
    const opens = line.includes('/*');
    const comment = isInside || opens || /^\s*(?:\/\/|\*)/.test(line);
    const after = /\/\/\s(.*)$/.exec(line)?.[1];
    if (!isInside && /^(?:import|export|\}) .*from '[^' ]*';$/.test(line)) continue;
    const strings = [...line.matchAll(/(['`])([^'`]{25,})\1/g)].map(([, , string = '']) => string);
    if (comment) yield [index + 1, line];
    else if (after !== undefined) yield [index + 1, after];
    else if (strings.length > 0) yield [index + 1, strings.join(' ')];
    isInside = (isInside || opens) && !line.includes('*/');
  }
}

/** Yields the prose of a page, which is everything outside code. */
function* proseOfPage(text: string): Generator<[line: number, prose: string]> {
  let isCode = false;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim().startsWith('```')) isCode = !isCode;
    else if (!isCode) yield [index + 1, line];
  }
}

const withoutCode = (words: string) => words.replace(/`[^`]*`/g, '`…`');

function find(path: string): Found[] {
  const text = readFileSync(path, 'utf8');
  if (isLeftOut(path, text)) return [];
  const prose = path.endsWith('.md') ? proseOfPage(text) : proseOfSource(text);
  const avoided = isPortuguese(path) ? portugueseShapes : shapes;
  return [...prose].flatMap(([line, words]) => {
    const shape = avoided.find(({ pattern }) => pattern.test(withoutCode(words)));
    return shape === undefined ? [] : [{ line, shape: shape.instead, text: words.trim().slice(0, 110) }];
  });
}

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' }).split(
  '\n',
);
const paths = tracked.filter(
  (path) =>
    /^(?:src|sandbox|test|tools|site|examples)\/.*\.(?:ts|tsx|mjs|vue)$/.test(path) ||
    /^[a-z]+\.config\.ts$/.test(path) ||
    /^(?:docs|examples)\/.*\.md$/.test(path) ||
    /^(?:README(?:\.pt-BR)?|CONTRIBUTING|SECURITY|CHANGELOG)\.md$/.test(path),
);
const limits = JSON.parse(readFileSync(limitsFile, 'utf8')) as Record<string, number>;
const found = new Map(paths.map((path) => [path, find(path)] as const));
const printLine = (text: string) => process.stdout.write(`${text}\n`);

const findArea = (path: string) => {
  if (isPortuguese(path)) return 'Portuguese';
  return /^sandbox\/test\//.test(path)
    ? 'test'
    : path.includes('/')
      ? path.slice(0, path.indexOf('/'))
      : 'front';
};
const totals = new Map<string, number>();
for (const [path, lines] of found)
  totals.set(findArea(path), (totals.get(findArea(path)) ?? 0) + lines.length);

if (process.argv.includes('--write')) {
  const lower = [...found]
    .map(([path, lines]): [string, number] => [path, Math.min(lines.length, limits[path] ?? 0)])
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(limitsFile, `${JSON.stringify(Object.fromEntries(lower), undefined, 2)}\n`);
}
for (const [path, lines] of found) {
  const limit = limits[path] ?? 0;
  if (lines.length <= limit) continue;
  printLine(`${path} has ${lines.length} lines to rewrite, ${limit} before:`);
  for (const { line, shape, text } of lines) printLine(`  ${path}:${line}: ${shape}: ${text}`);
  if (!process.argv.includes('--warn')) process.exitCode = 1;
}
printLine(`Lines to rewrite: ${[...totals].map(([area, count]) => `${area} ${count}`).join(', ')}.`);
