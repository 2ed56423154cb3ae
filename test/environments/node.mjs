// Node itself, in every supported version, and the fetch functions that are given to it.
import { join } from 'node:path';
import { journeys, programs } from './programs.mjs';
import { nodeIn, nodePackage, noRuntimes, otherNodes, versionOfNode } from './runtimes.mjs';

const ways = [
  ['ESM', 'module', journeys.esm, programs.esm],
  ['CommonJS', 'commonjs', journeys.commonjs, programs.commonjs],
];

/** A folder of a project with the program and a package.json of its own. */
const programIn = (workspace, project, [, type, journey, program]) =>
  workspace.write(join(project, type), {
    'package.json': JSON.stringify({ type }),
    'journey.js': journey,
    'main.js': program,
  });

const runtimes = (workspace) =>
  ['own', ...otherNodes].flatMap((major) =>
    ways.map((way) => ({
      environment: 'Node',
      version: major === 'own' ? process.versions.node : versionOfNode(major),
      use: way[0],
      quick: major === 'own',
      unavailable: major === 'own' ? undefined : noRuntimes,
      run: async () => {
        const project = await workspace.project(`node-${major}`, major === 'own' ? {} : nodePackage(major));
        const cwd = programIn(workspace, project, way);
        return workspace.command(major === 'own' ? process.execPath : nodeIn(project), ['main.js'], { cwd });
      },
    })),
  );

/** Packages whose fetch merchants give to the client, for proxies and mocks. */
const fetches = [
  { name: 'undici', version: '6.29.1', load: "import { fetch } from 'undici';" },
  { name: 'undici', version: '7.30.2', load: "import { fetch } from 'undici';" },
  { name: 'node-fetch', version: '2.7.0', load: "import fetch from 'node-fetch';" },
  { name: 'node-fetch', version: '3.3.2', load: "import fetch from 'node-fetch';" },
];

const givenFetch = (workspace) =>
  fetches.flatMap((given) =>
    [false, true].map((watchesUpload) => rowOfFetch(workspace, given, watchesUpload)),
  );

function rowOfFetch(workspace, { name, version, load }, watchesUpload) {
  return {
    environment: `fetch of ${name}`,
    version,
    use: `the option \`fetch\`${watchesUpload ? ', with `onProgress`' : ''}`,
    guards: 'an upload that could not be sent ended as unknown, after three attempts',
    run: async () => {
      const project = await workspace.project(`${name}-${version}`, { [name]: version });
      const program = `${load}
import { journey } from './journey.js';
const result = await journey(JSON.parse(process.env.JOURNEY), { fetch });
console.log('journey-result:' + JSON.stringify(result));
`;
      const cwd = programIn(workspace, project, ['', 'module', journeys.esm, program]);
      return workspace.command(process.execPath, ['main.js'], { cwd }, { watchesUpload });
    },
  };
}

export const node = (workspace) => [...runtimes(workspace), ...givenFetch(workspace)];
