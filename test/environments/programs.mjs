// The journey and the programs that make it, as text for the projects of the environments.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const source = readFileSync(new URL('journey.ts', import.meta.url), 'utf8');

/** Stands before the result of a journey in what a program prints. */
const resultMark = 'journey-result:';

const compiled = (module) =>
  ts.transpileModule(source, {
    compilerOptions: { module, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  }).outputText;

/** The journey as an environment takes it. */
export const journeys = {
  esm: compiled(ts.ModuleKind.ES2022),
  commonjs: compiled(ts.ModuleKind.CommonJS),
  typescript: source,
};

const takeAndPrint = `.then((result) => console.log('${resultMark}' + JSON.stringify(result)))`;

/** Programs that make the journey with what stands in their environment. */
export const programs = {
  esm: `import { journey } from './journey.js';
await journey(JSON.parse(process.env.JOURNEY))${takeAndPrint};
`,
  commonjs: `const { journey } = require('./journey.js');
journey(JSON.parse(process.env.JOURNEY))${takeAndPrint};
`,
  /** Calls the handler of a bundle. */
  lambda: `handler(JSON.parse(process.env.JOURNEY))${takeAndPrint};
`,
  /** One test, for test runners that have \`test\` as a global. */
  test: `test('the journey', () => journey(JSON.parse(process.env.JOURNEY))${takeAndPrint});
`,
  /** A function for runtimes that answer requests, such as workers. */
  respond: `import { journey } from './journey.js';
export async function respond(request) {
  try {
    return Response.json(await journey(await request.json()));
  } catch (error) {
    return new Response(error?.stack ?? String(error), { status: 500 });
  }
}
`,
};

/** The result of a journey that was made by a command. */
export function resultIn(printed) {
  const line = printed.split('\n').find((line) => line.includes(resultMark));
  if (line === undefined) throw new Error(`No result was printed:\n${printed}`);
  return JSON.parse(line.slice(line.indexOf(resultMark) + resultMark.length));
}
