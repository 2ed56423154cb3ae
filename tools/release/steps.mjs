// The steps of a release. Each returns its result as a message, or throws an error that ends the release.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlinedIn } from '../package/bundled.mjs';
import { knownVulnerabilities, RegistryUnavailable } from './advisories.mjs';
import { clone, packIn, uncommitted } from './clones.mjs';
import { filesWith } from './contents.mjs';
import { git } from './last-release.mjs';
import { endedWindows } from './support.mjs';
import { cut, nextVersion, notCut, otherVersions, splitChangelog } from './version.mjs';

const json = (root, file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const stopAt = (problems) => {
  if (problems.length > 0) throw new Error(problems.join('\n'));
};

function cleanTree({ root }) {
  const changes = uncommitted(root);
  if (changes !== '') throw new Error(`The working tree is not clean:\n${changes}`);
  return 'Everything is committed.';
}

function versionInOnePlace({ root }) {
  stopAt(otherVersions(root));
  return `Every file has the version of package.json, ${json(root, 'package.json').version}.`;
}

function supportedNodes({ root, today }) {
  const support = json(root, 'tools/support.json');
  stopAt(endedWindows(support, today));
  return `Node ${support.node.map(({ line }) => line).join(', ')}: no window has ended.`;
}

/**
 * Clones twice, into folders with different names and depths. A dry run cuts the changelog only in the
 * clones.
 */
function changelogCut(context) {
  const { root, work, dryRun, today } = context;
  const { version } = json(root, 'package.json');
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const problem = notCut(changelog, version);
  if (problem !== undefined && !dryRun)
    throw new Error(`${problem} npm run release -- --cut VERSION cuts it; commit what it writes.`);
  context.clones = [join(work, 'a'), join(work, 'another', 'folder', 'b')];
  for (const folder of context.clones) clone(root, folder);
  context.version = version;
  if (problem === undefined) {
    const released = git(root, 'rev-parse', '--quiet', '--verify', `v${version}^{commit}`);
    if (released !== undefined && released !== git(root, 'rev-parse', 'HEAD'))
      throw new Error(`v${version} is the tag of another commit: that version is released.`);
    return `CHANGELOG.md has the section of ${version}.`;
  }
  context.version = nextVersion(version);
  for (const folder of context.clones) cut(folder, context.version, today);
  const section = splitChangelog(changelog)[0];
  const entries = section.text.split('\n').filter((line) => line.startsWith('- ')).length;
  return `${problem} The dry run cuts ${context.version} of ${today} from it, with ${entries} entries, in its clones.`;
}

function packTwice(context) {
  const [first, second] = context.clones;
  const before = context.clones.map(uncommitted);
  context.packed = packIn(first);
  const { sha256 } = packIn(second, { TZ: 'Pacific/Kiritimati', LC_ALL: 'C' });
  context.clones.forEach((folder, index) => {
    const after = uncommitted(folder);
    if (after !== before[index]) throw new Error(`The build changed what is committed:\n${after}`);
  });
  if (sha256 !== context.packed.sha256)
    throw new Error(`Two packs of one commit differ: ${context.packed.sha256} and ${sha256}.`);
  return `Two packs in two fresh clones have one digest:\n  ${context.packed.sha256}\n  ${sha256}`;
}

function tests({ clones, skipTests }) {
  if (skipTests) return '!!! THE TESTS WERE SKIPPED (--skip-tests). Nobody knows whether this works. !!!';
  // The build and the advisories have already run.
  const verify = ['run', '--silent', 'verify', '--', '--without', 'build,advisories'];
  try {
    execFileSync('npm', verify, { cwd: clones[0], stdio: 'inherit' });
  } catch {
    throw new Error('npm run verify failed in a fresh clone: see its table.');
  }
  return 'npm run verify passed in a fresh clone.';
}

/** The tests also compare the files and their sizes with tools/release/contents.json (verify, package). */
function contents({ root, work, packed }) {
  const folder = join(work, 'unpacked');
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', packed.tarball, '-C', folder]);
  const named = filesWith(folder, [work, root]);
  if (named.length > 0) throw new Error(`A folder of this machine is named in ${named.join(', ')}.`);
  const sizes = `${Math.ceil(packed.size / 1000)} kB packed, ${Math.ceil(packed.unpackedSize / 1000)} kB unpacked`;
  return `None of the ${packed.files.length} files names a folder of this machine: ${sizes}.`;
}

function advisories({ clones, dryRun }) {
  const packages = inlinedIn(json(clones[0], 'package.json'));
  try {
    const known = knownVulnerabilities(packages);
    stopAt(known.map(({ text }) => text));
    return `Nothing is known against the ${packages.length} bundled packages.`;
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    if (!dryRun) throw new Error(error.message);
    return `!!! NOT CHECKED: ${error.message} A release would stop here. !!!`;
  }
}

/**
 * Checks provenance: npm attests the workflow and the repository that packed a release, and package.json must
 * name that repository.
 */
function provenance({ root, dryRun }) {
  const project = json(root, 'tools/release/project.json');
  const missing = ['repository', 'contact'].filter((name) => project[name] === null);
  if (missing.length > 0) {
    const sentence = `tools/release/project.json does not have the ${missing.join(' and the ')} yet.`;
    if (!dryRun) throw new Error(sentence);
    return `!!! NO PROVENANCE: ${sentence} A release would stop here. !!!`;
  }
  const { repository } = json(root, 'package.json');
  if (repository?.url !== `git+${project.repository}.git`)
    throw new Error(`"repository" in package.json is not git+${project.repository}.git.`);
  return `The workflow release.yml of ${project.repository} will be attested, from its environment ${project.environment}.`;
}

function whatIsPublished({ root, version, packed, dryRun }) {
  const tag = version.includes('-') ? '"next"' : '"latest" ("previous" where a newer one is)';
  const what = `${packed.name}@${version} as ${tag}: ${packed.files.length} files, ${packed.filename}, ${packed.integrity}`;
  if (dryRun) return `Nothing is published. It would be ${what}`;
  const target = join(root, 'reports/release');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  copyFileSync(packed.tarball, join(target, packed.filename));
  writeFileSync(join(target, 'SHA256SUMS'), `${packed.sha256}  ${packed.filename}\n`);
  return `Ready in reports/release, for the workflow to publish: ${what}`;
}

export const steps = [
  ['clean tree', cleanTree],
  ['version in one place', versionInOnePlace],
  ['supported Nodes', supportedNodes],
  ['changelog', changelogCut],
  ['provenance', provenance],
  ['advisories', advisories],
  ['pack twice', packTwice],
  ['contents', contents],
  ['tests', tests],
  ['publication', whatIsPublished],
];

/**
 * Runs the steps in order, and stops at the first failure. Returns whether all succeeded.
 *
 * @param {(line: string) => void} print
 */
export function take(list, context, print) {
  for (const [index, [title, step]] of list.entries()) {
    const head = `${index + 1}/${list.length} ${title}: `;
    try {
      print(head + step(context));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      print(`${head}STOPPED. ${error.message}`);
      return false;
    }
  }
  return true;
}
