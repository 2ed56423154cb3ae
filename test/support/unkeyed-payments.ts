import ts from 'typescript';

/** Matches expressions of the samples' languages that differ in each run. */
const differsInEachRun =
  /uuid|guid|random|rand\b|nonce|nanoid|ulid|uniqid|mktemp|\bnow\b|\bdate\b|\btime\b|timestamp|hrtime|\$\$|\bpid\b/i;

/** Matches headers and options that carry a payment's key. */
const carriesKey = /^(x-)?idempotency-?key$|^key$/i;

/** Matches payment requests over plain HTTP. `/v1/payments/{id}/…` does not create a payment. */
const path = /\/v1\/payments(?![\w/{])/;

const scripts = new Set(['ts', 'typescript', 'tsx', 'js', 'javascript', 'mjs', 'cjs']);

/** Finds a sample's requests that create a payment without a key, or with a key that changes in each run. */
export function unkeyedPayments(language: string, code: string): string[] {
  return scripts.has(language.toLowerCase()) ? unkeyedInScript(code) : unkeyedElsewhere(code);
}

/**
 * Finds such requests in samples in other languages. These samples send one request, and a header line
 * contains the key.
 */
function unkeyedElsewhere(code: string): string[] {
  const lines = code.split('\n');
  const requests = lines.filter((line) => path.test(line) && !/^\s*(GET\b|#|\/\/)/.test(line));
  if (requests.length === 0) return [];
  const keys = lines.filter((line) => /x[-_]idempotency[-_]key/i.test(line));
  const isStable = (line: string) => {
    const value = line.replace(/^.*x[-_]idempotency[-_]key/i, '');
    const names = value.match(/[A-Za-z_]\w*/g) ?? [];
    const assigned = lines.filter((other) => names.some((name) => assigns(other, name)));
    return ![value, ...assigned].some((text) => differsInEachRun.test(text));
  };
  return keys.length > 0 && keys.every(isStable) ? [] : requests.map((line) => line.trim());
}

const assigns = (line: string, name: string) =>
  new RegExp(`(^|[\\s$])${name}\\s*:?=(?![=>])`).test(line) && !path.test(line);

function unkeyedInScript(code: string): string[] {
  const file = ts.createSourceFile('sample.tsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const declared = new Map<string, ts.Expression>();
  const visit = (node: ts.Node, each: (node: ts.Node) => void): void => {
    each(node);
    ts.forEachChild(node, (child) => visit(child, each));
  };
  visit(file, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      declared.set(node.name.text, node.initializer);
  });

  /** Returns whether an expression, constants of the sample included, has the same value in each run. */
  const isStable = (value: ts.Expression, seen: ReadonlySet<string> = new Set()): boolean => {
    const text = value.getText();
    if (ts.isCallExpression(value) && differsInEachRun.test(text)) return false;
    let stable = !/\b(crypto|Math|Date|process\.hrtime|performance)\b|^(null|undefined|''|"")$/.test(text);
    visit(value, (node) => {
      if (ts.isCallExpression(node) && differsInEachRun.test(node.expression.getText())) stable = false;
      if (!ts.isIdentifier(node) || seen.has(node.text)) return;
      const initializer = declared.get(node.text);
      if (initializer && !isStable(initializer, new Set([...seen, node.text]))) stable = false;
    });
    return stable;
  };

  const keyIn = (argument: ts.Expression | undefined): ts.Expression | undefined => {
    if (argument === undefined) return undefined;
    if (ts.isIdentifier(argument)) return keyIn(declared.get(argument.text));
    if (!ts.isObjectLiteralExpression(argument)) return undefined;
    for (const property of argument.properties) {
      if (ts.isSpreadAssignment(property)) {
        const found = keyIn(property.expression);
        if (found) return found;
      } else if (ts.isShorthandPropertyAssignment(property) && carriesKey.test(property.name.text)) {
        return property.name;
      } else if (ts.isPropertyAssignment(property)) {
        const name = ts.isComputedPropertyName(property.name) ? '' : property.name.text;
        if (carriesKey.test(name)) return property.initializer;
        const found = name === 'headers' ? keyIn(property.initializer) : undefined;
        if (found) return found;
      }
    }
    return undefined;
  };

  const found: string[] = [];
  visit(file, (node) => {
    if (!ts.isCallExpression(node) || !createsPayment(node)) return;
    const key = node.arguments.map(keyIn).find((argument) => argument !== undefined);
    if (key === undefined || !isStable(key)) found.push(node.getText().split('\n')[0] ?? '');
  });
  return found;
}

function createsPayment({ expression, arguments: args }: ts.CallExpression): boolean {
  if (ts.isPropertyAccessExpression(expression) && /^(create|enqueue)$/.test(expression.name.text)) {
    return /(^|[.?!])payments$/i.test(expression.expression.getText().replace(/[?!]$/, ''));
  }
  const [first] = args;
  return (
    /(^|\.)(fetch|request|post|axios|got|ky)$/i.test(expression.getText()) &&
    args.some((argument) => path.test(argument.getText())) &&
    first !== undefined
  );
}
