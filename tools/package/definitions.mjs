import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A program with a mark before each name, and the line that "Go to definition" must open. */
const program = `import { |PaymentPlatform, type |PaymentStatus } from 'payment-platform';
import { |createReceiver, |verify } from 'payment-platform/webhooks';
declare const platform: PaymentPlatform;
await platform.payments.|create({
  amount: 1990,
  paymentMethod: 'pix',
  customer: {},
  items: [],
  pix: { |expiration: 60 },
});
`;
const expected = [
  ['src/client.ts', /^export class PaymentPlatform /],
  ['src/contract/payments/types.ts', /^export type PaymentStatus /],
  ['src/webhooks/receive.ts', /^export function createReceiver\b/],
  ['src/webhooks/verify.ts', /^export function verify\b/],
  ['src/resources/payments.ts', /^ {2}create</],
  ['src/contract/payments/types.ts', /^ {8}expiration\?: number/],
];

/** Finds the position of each mark, with lines and columns from 1. */
function marks() {
  return program.split('\n').flatMap((text, line) => {
    const columns = Array.from(text.matchAll(/\|/g), ({ index }, before) => index - before + 1);
    return columns.map((offset) => ({ line: line + 1, offset }));
  });
}

/** Asks a language server, as editors do. */
async function definitions(file, positions) {
  const path = createRequire(import.meta.url).resolve('typescript/lib/tsserver.js');
  const server = spawn(process.execPath, [path, '--disableAutomaticTypingAcquisition'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const requests = [
    { command: 'open', arguments: { file } },
    ...positions.map((position) => ({ command: 'definition', arguments: { file, ...position } })),
  ];
  for (const [seq, request] of requests.entries())
    server.stdin.write(`${JSON.stringify({ seq, type: 'request', ...request })}\n`);
  const found = [];
  for await (const line of createInterface({ input: server.stdout })) {
    const { type, command, body } = line.startsWith('{') ? JSON.parse(line) : {};
    if (type === 'response' && command === 'definition') found.push(body[0]);
    if (found.length === positions.length) server.kill();
  }
  return found;
}

/** Lists sources in declaration maps that the package lacks. */
function missingSources(installed) {
  const dist = join(installed, 'dist');
  const maps = readdirSync(dist).filter((name) => name.endsWith('.map'));
  const paths = maps.flatMap((name) => JSON.parse(readFileSync(join(dist, name), 'utf8')).sources);
  return [...new Set(paths)].filter((path) => !existsSync(join(dist, path)));
}

/**
 * Checks that "Go to definition" opens the sources in the package.
 *
 * @param project a folder with tsconfig.json that has installed the package
 * @throws Error naming the position that was opened instead
 */
export async function checkDefinitions(project) {
  const missing = missingSources(join(project, 'node_modules/payment-platform'));
  if (missing.length > 0) throw new Error(`The files of package.json lack ${missing.join(', ')}`);
  const file = join(project, 'definitions.ts');
  writeFileSync(file, program.replaceAll('|', ''));
  const found = await definitions(file, marks());
  for (const [index, [source, line]] of expected.entries()) {
    const place = found[index];
    const text = place && readFileSync(place.file, 'utf8').split('\n')[place.start.line - 1];
    if (!place?.file.endsWith(`/node_modules/payment-platform/${source}`) || !line.test(text))
      throw new Error(`A definition must open ${line} of ${source}, not ${place?.file}: ${text}`);
  }
  return expected.length;
}
