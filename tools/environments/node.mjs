// Checks every supported version of Node, with its own and other fetch functions.
import { join } from 'node:path';
import { journeys, programs } from './programs.mjs';
import { nodeIn, nodePackage, nodes, noNode, versionOfNode } from './runtimes.mjs';

const ways = [
  ['ESM', 'module', journeys.esm, programs.node.esm],
  ['CommonJS', 'commonjs', journeys.commonjs, programs.node.commonjs],
];

/** Creates a project folder with the program and its own package.json. */
const programIn = (workspace, project, [, type, journey, program]) =>
  workspace.write(join(project, type), {
    'package.json': JSON.stringify({ type }),
    'journey.js': journey,
    'main.js': program,
  });

const runtimes = (workspace) =>
  nodes.flatMap((name) =>
    ways.map((way) => ({
      environment: 'Node',
      version: versionOfNode(name),
      use: way[0],
      quick: name === 'own',
      unavailable: noNode(name),
      run: async () => {
        const project = await workspace.project(`node-${name}`, nodePackage(name));
        const cwd = programIn(workspace, project, way);
        return workspace.command(nodeIn(project, name), ['main.js'], { cwd });
      },
    })),
  );

/** Packages whose fetch merchants pass to the client, for proxies and mocks. */
const fetches = [
  { name: 'undici', version: '5.29.0' },
  { name: 'undici', version: '6.29.1' },
  { name: 'undici', version: '7.30.2' },
  // Requires a newer Node than the package's minimum.
  { name: 'undici', version: '8.12.4', on: '24' },
  { name: 'node-fetch', version: '2.7.0' },
  { name: 'node-fetch', version: '3.3.2' },
];

const imports = {
  undici: "import { fetch } from 'undici';",
  'node-fetch': "import fetch from 'node-fetch';",
};

const listFetchRows = (workspace) =>
  fetches.flatMap((entry) =>
    [false, true].map((watchesUpload) => rowOfFetch(workspace, entry, watchesUpload)),
  );

function rowOfFetch(workspace, { name, version, on = 'own' }, watchesUpload) {
  return {
    environment: name === 'undici' ? 'undici’s fetch' : name,
    version,
    unavailable: noNode(on),
    use: `as the \`fetch\` option${on === 'own' ? '' : ` on Node ${on}`}${watchesUpload ? ', with `onUploadProgress`' : ''}`,
    guards: 'an upload that could not be sent ended as unknown, after three attempts',
    run: async () => {
      const project = await workspace.project(`${name}-${version}`, { [name]: version, ...nodePackage(on) });
      const program = `${imports[name]}
import { journey } from './journey.js';
const result = await journey(JSON.parse(process.env.JOURNEY), { fetch });
console.log('journey-result:' + JSON.stringify(result));
`;
      const cwd = programIn(workspace, project, ['', 'module', journeys.esm, program]);
      return workspace.command(nodeIn(project, on), ['main.js'], { cwd }, { watchesUpload });
    },
  };
}

export const node = (workspace) => [...runtimes(workspace), ...listFetchRows(workspace)];
