// package.json decides the version. This module finds its other places, and cuts the changelog.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that contain the version, and the lines with it. */
const places = {
  'package.json': [/^ {2}"version": "(.+)",$/m],
  'package-lock.json': [/^ {2}"version": "(.+)",$/m, /^ {6}"version": "(.+)",$/m],
  'src/version.ts': [/^export const version: string = '(.+)';$/m],
  'docs/sandbox-openapi.json': [/^ {4}"version": "(.+)",$/m],
};

const numbers = /^(\d+)\.(\d+)\.(\d+)(?:-[a-z]+\.(\d+))?$/;

/** Reports files whose version differs from package.json. */
export function otherVersions(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (!numbers.test(version)) return [`The version of package.json, ${version}, is none.`];
  return Object.entries(places).flatMap(([file, patterns]) => {
    const text = readFileSync(join(root, file), 'utf8');
    return patterns
      .map((pattern) => pattern.exec(text)?.[1])
      .filter((found) => found !== version)
      .map((found) => `${file} has the version ${found}, and package.json ${version}.`);
  });
}

/** Returns the next minor version, or for a pre-release the next pre-release. */
export function nextVersion(version) {
  const [, major, minor, , ofPreRelease] = numbers.exec(version) ?? [];
  return ofPreRelease === undefined
    ? `${major}.${Number(minor) + 1}.0`
    : version.replace(/\d+$/, String(Number(ofPreRelease) + 1));
}

const headings = /^## \[(.+?)\](?: - (\d{4}-\d{2}-\d{2}))?$/gm;

/** Splits a changelog into sections: `version`, an optional `date`, and `text`. */
export function splitChangelog(changelog) {
  const found = [...changelog.matchAll(headings)];
  return found.map((heading, index) => ({
    version: heading[1],
    date: heading[2],
    text: changelog.slice(heading.index + heading[0].length, found[index + 1]?.index).trim(),
  }));
}

/** Moves a changelog's unreleased entries into the section of a version. */
export function cutChangelog(changelog, version, date) {
  const [unreleased, ...rest] = splitChangelog(changelog);
  if (unreleased?.version !== 'Unreleased') throw new Error('CHANGELOG.md does not begin with [Unreleased].');
  if (unreleased.text === '') throw new Error('CHANGELOG.md has nothing under [Unreleased].');
  if (rest.some((section) => section.version === version))
    throw new Error(`CHANGELOG.md has a section of ${version} already.`);
  return changelog.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`);
}

/** Explains why this version cannot be released with a changelog. Undefined if it can. */
export function notCut(changelog, version) {
  const [unreleased, newest] = splitChangelog(changelog);
  if (unreleased?.version !== 'Unreleased') return 'CHANGELOG.md does not begin with [Unreleased].';
  if (unreleased.text !== '') return 'CHANGELOG.md has entries under [Unreleased].';
  if (newest?.version !== version || newest.date === undefined)
    return `The newest section of CHANGELOG.md is not that of ${version}, with its date.`;
  return undefined;
}

/** Writes a version to all its places, and cuts the changelog. */
export function cut(root, version, date) {
  if (!numbers.test(version)) throw new Error(`${version} is no version.`);
  const change = (file, edit) =>
    writeFileSync(join(root, file), edit(readFileSync(join(root, file), 'utf8')));
  change('CHANGELOG.md', (text) => cutChangelog(text, version, date));
  for (const [file, patterns] of Object.entries(places))
    for (const pattern of patterns)
      change(file, (text) => text.replace(pattern, (line, old) => line.replace(old, version)));
}
