import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import project from '../../tools/release/project.json' with { type: 'json' };

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions?: Readonly<Record<string, string>>;
        readonly environment?: string;
        readonly steps: readonly {
          readonly uses?: string;
          readonly run?: string;
          readonly with?: Readonly<Record<string, unknown>>;
        }[];
      }
    >
  >;
}

const folder = new URL('../../.github/workflows/', import.meta.url);
const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(new URL(name, folder), 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});

/** Lists action releases, as tagged in their repositories. */
const pinned = [
  'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1',
  'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0',
];

/** Finds uses of actions that are not pinned to a known commit. */
const unpinned = (text: string) =>
  [...text.matchAll(/uses: (.*)$/gm)].map(([, use = '']) => use).filter((use) => !pinned.includes(use));

describe.each(workflows)('the workflow $name', ({ name, text, workflow }) => {
  test('pins actions to a commit’s digest', () => {
    expect(unpinned(text)).toEqual([]);
  });

  test('has only the permissions that it needs', () => {
    expect(workflow.permissions).toBeDefined();
    const granted = [workflow, ...Object.values(workflow.jobs)].flatMap(({ permissions = {} }) =>
      Object.entries(permissions).map(([scope, access]) => `${scope}: ${access}`),
    );
    const allowed = name === 'release.yml' ? ['contents: read', 'id-token: write'] : ['contents: read'];
    expect([...new Set(granted)].sort()).toEqual(allowed);
    expect(text).not.toContain('secrets.');
  });
});

test('only the job in the protected environment can publish to npm, and it runs no code from the repository', () => {
  const jobs = Object.values(workflows.find(({ name }) => name === 'release.yml')?.workflow.jobs ?? {});
  const publishing = jobs.filter(({ permissions }) => permissions?.['id-token'] === 'write');
  expect(publishing.map(({ environment }) => environment)).toEqual([project.environment]);
  const steps = publishing.flatMap(({ steps }) => steps);
  expect(steps.filter(({ uses }) => uses?.startsWith('actions/checkout'))).toEqual([]);
  expect(steps.filter(({ run }) => /npm (ci|install|run)|node /.test(run ?? ''))).toEqual([]);
});

test('the jobs that compare with the last release fetch the git history', () => {
  const compares = /^npm run (test:all|release|verify -- --only .*\bcompatibility)$/;
  const comparing = workflows.flatMap(({ workflow }) =>
    Object.values(workflow.jobs).filter(({ steps }) => steps.some(({ run }) => compares.test(run ?? ''))),
  );
  expect(comparing).toHaveLength(3);
  for (const { steps } of comparing)
    expect(steps.find(({ uses }) => uses?.startsWith('actions/checkout'))?.with).toMatchObject({
      'fetch-depth': 0,
    });
});

test.each([
  ['the first release', 'v1.0.0', '', 'latest'],
  ['a newer release', 'v1.10.0', '1.9.0', 'latest'],
  ['the release after its pre-releases', 'v1.0.0', '1.0.0-rc.2', 'latest'],
  ['a pre-release', 'v2.0.0-rc.1', '1.9.0', 'next'],
  ['a repair of an older release line', 'v1.9.1', '2.0.0', 'previous'],
])('%s (%s, after the latest version "%s") is published with the npm tag %s', (_, ref, newest, tag) => {
  const publishing = workflows
    .flatMap(({ workflow }) => Object.values(workflow.jobs).flatMap(({ steps }) => steps))
    .find(({ run }) => run?.includes('npm publish'));
  const folder = mkdtempSync(join(tmpdir(), 'payment-platform-npm-'));
  try {
    const npm = `#!/bin/sh\nif [ "$1" = view ]; then echo "$NEWEST"; [ -n "$NEWEST" ]; else echo "$@"; fi\n`;
    writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
    const printed = execFileSync('bash', ['-e', '-c', publishing?.run ?? ''], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: `${folder}:${process.env.PATH}`, GITHUB_REF_NAME: ref, NEWEST: newest },
    });
    expect(printed).toContain(`--provenance --access public --tag ${tag}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the workflow check reports an unpinned action', () => {
  const [first] = workflows;
  const wrong = (first?.text ?? '').replace(/actions\/checkout@\w+ # v[\d.]+/, 'actions/checkout@v7');
  expect(unpinned(wrong)).toEqual(['actions/checkout@v7']);
});
