// Reads the package's messages from its sources.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { code } from '../markdown.js';
import type { Language } from '../words.js';

const root = new URL('../../../', import.meta.url);

const areas = ['client', 'receiver', 'durable', 'command', 'sandbox', 'testing'] as const;
type Area = (typeof areas)[number];

interface Message {
  readonly area: Area;
  /** The problem, with placeholders in braces. */
  readonly cause: string;
  /** The remedy. Empty if the cause is a rule, such as `must be an integer`. */
  readonly remedy: string;
}

/** Folders whose strings are descriptions instead of messages. */
const described =
  /^(?:sandbox\/(?:defaults|control-api|page|test\/|cli\/examples)|src\/contract\/\w+\/(?:operations|schemas)\.ts)|generated|\/web(?:-[\w-]+)?\.ts$|payment-store-checks|assertions/;

/** Functions that report their string arguments. */
const reporters =
  /^(?:this\.(?:#data\.)?reject|validIf|required|buildDecline|reject(?:ed)?|classifyAsRejected|verificationError|toIssues|problem|checked|notFound|found|conflict|badRequest|demand|fail)$/;

const findArea = (path: string): Area => {
  const [house, folder, ...rest] = path.split('/');
  const kept = folder === 'stores' ? /dedupe|payment/.exec(rest.join('/'))?.[0] : undefined;
  if (folder === 'cli') return 'command';
  if (folder === 'testing') return 'testing';
  if (house === 'sandbox') return 'sandbox';
  if (folder === 'webhooks' || kept === 'dedupe') return 'receiver';
  return folder === 'durable' || kept === 'payment' ? 'durable' : 'client';
};

/** Reads a string or a template, with `{name}` for placeholders. */
function read(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `{${findName(expression)}}${literal.text}`,
  );
  return [node.head.text, ...spans].join('');
}

/** Finds the last name of an expression: `client` for `this.#client`, `…` for a calculation. */
function findName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text.replace('#', '');
  return '…';
}

/** Checks whether a string is passed to an error, to a reporting function or to a message property. */
function isReported(node: ts.Node): boolean {
  for (let { parent } = node; parent !== undefined; { parent } = parent) {
    if (ts.isNewExpression(parent)) return /(?:Error|Failure|Problem)$/.test(parent.expression.getText());
    if (ts.isCallExpression(parent)) return reporters.test(parent.expression.getText());
    if (ts.isPropertyAssignment(parent)) {
      // In other files a summary describes a command or an operation.
      const isSummary =
        parent.name.getText() === 'summary' && /^src\/transport/.test(node.getSourceFile().fileName);
      return isSummary || /^(?:message|problem)$/.test(parent.name.getText());
    }
    if (ts.isFunctionLike(parent) || ts.isStatement(parent)) return false;
  }
  return false;
}

const isSentence = (text: string) => /\S \S+ \S/.test(text);

/** Checks for two words besides placeholders. */
const hasWords = (text: string) =>
  /\p{L}{3}.*\P{L}\p{L}{3}|\brequired\b/u.test(text.replace(/\{[^}]*\}/g, ''));

function messagesIn(path: string): Message[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(new URL(path, root), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Message[] = [];
  const visit = (node: ts.Node): void => {
    const text = read(node);
    if (text === undefined) ts.forEachChild(node, visit);
    if (text === undefined || !isSentence(text) || !isReported(node)) return;
    const area = findArea(path);
    const [cause = '', ...others] = text.trim().split(/(?<=[.?])\s+(?=[A-Z`])/);
    // Nobody searches for placeholders, so a cause of placeholders alone is not separated from its remedy.
    if (hasWords(cause)) found.push({ area, cause, remedy: others.join(' ') });
    else if (hasWords(text)) found.push({ area, cause: text.trim(), remedy: '' });
  };
  visit(source);
  return found;
}

/** Lists every message once, by area and in alphabetical order. */
function collectMessages(): Message[] {
  const paths = ['src', 'sandbox']
    .flatMap((house) =>
      readdirSync(new URL(house, root), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${house}/${path}`,
      ),
    )
    .filter((path) => path.endsWith('.ts') && !described.test(path));
  const all = new Map(
    paths.flatMap(messagesIn).map((message) => [JSON.stringify(message), message] as const),
  );
  return [...all.values()].sort(
    (one, other) => areas.indexOf(one.area) - areas.indexOf(other.area) || (one.cause < other.cause ? -1 : 1),
  );
}

/** Checks whether a message follows the name of a field or an option. */
const rule =
  /^(?:must|is|has|have|cannot|needs|contains|are|was|were|refers|holds|does|do|could|comes|already)\b/;

/** Quotes a message for a table cell. Backticks and bars would end the cell. */
const quoted = (message: string) =>
  code(message.replaceAll('`', "'").replaceAll('|', '\\|').replaceAll('\n', ' '));

/** Writes a remedy as text. Only placeholders, and the names that the message quotes, are code. */
const advice = (remedy: string) =>
  remedy
    .replaceAll('\n', ' ')
    .split(/(`[^`]+`|\{[^}]*\})/)
    .map((part, index) =>
      index % 2 === 1 ? code(part.replaceAll('`', '')) : part.replace(/[\\`*_<>[\]|]/g, '\\$&'),
    )
    .join('');

/** The messages of an area: those with a remedy, then the other ones, with the rules at the end. */
function describeArea(area: Area) {
  const own = () => collected().filter((message) => message.area === area);
  const list = (isRule: boolean) =>
    own().flatMap(({ cause, remedy }) =>
      remedy === '' && rule.test(cause) === isRule ? [`- ${quoted(cause)}`] : [],
    );
  return {
    [`messages.${area}`]: (language: Language) => [
      { en: ['Message', 'What to do'], pt: ['Mensagem', 'O que fazer'] }[language],
      ...own().flatMap(({ cause, remedy }) => (remedy === '' ? [] : [[quoted(cause), advice(remedy)]])),
    ],
    [`messages.${area}.others`]: (language: Language) => {
      const rules = list(true);
      const heading = rules.length === 0 ? [] : ['', { en: 'Rules:', pt: 'Regras:' }[language], ''];
      return [...list(false), ...heading, ...rules, ''].join('\n');
    },
  };
}

let messages: readonly Message[] | undefined;
const collected = (): readonly Message[] => {
  messages ??= collectMessages();
  return messages;
};

export const messageTables: Readonly<Record<string, (language: Language) => string[][] | string>> =
  Object.assign({}, ...areas.map(describeArea));
