// Fetches known vulnerabilities of the bundled packages, from the registry in npm's configuration.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Reports that the registry did not respond with advisories. */
export class RegistryUnavailable extends Error {}

/**
 * Writes a lock file that installs exactly these packages. Each has an alias, so that two versions of a name
 * can be installed together.
 */
function createLock(packages) {
  const entries = packages.map(({ name, version }, index) => [`bundled-${index}`, name, version]);
  const dependencies = Object.fromEntries(
    entries.map(([alias, name, version]) => [alias, `npm:${name}@${version}`]),
  );
  const project = { name: 'bundled', version: '0.0.0', private: true, dependencies };
  const installed = entries.map(([alias, name, version]) => [`node_modules/${alias}`, { name, version }]);
  return {
    project,
    lock: { ...project, lockfileVersion: 3, packages: { '': project, ...Object.fromEntries(installed) } },
  };
}

/** Runs npm's audit for a project, with npm's own settings for proxies, certificates and credentials. */
function audit({ project, lock }) {
  const folder = mkdtempSync(join(tmpdir(), 'payment-platform-advisories-'));
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(project));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const { stdout, error } = spawnSync('npm', ['audit', '--json', '--loglevel=silent'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 120_000,
    });
    if (error !== undefined) throw new RegistryUnavailable(`npm audit could not be run: ${error.message}.`);
    return JSON.parse(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Fetches the known vulnerabilities of packages.
 *
 * @throws RegistryUnavailable if the registry does not respond with advisories
 */
export function knownVulnerabilities(packages) {
  const report = audit(createLock(packages));
  if (report.vulnerabilities === undefined) {
    const reason = report.message ?? report.error?.summary ?? 'a response without advisories';
    throw new RegistryUnavailable(`The registry did not respond with advisories: ${reason}.`);
  }
  const byName = new Map(packages.map(({ name }) => [name, packages.filter((each) => each.name === name)]));
  return Object.values(report.vulnerabilities).flatMap(({ name, via }) =>
    via
      .filter((reason) => typeof reason === 'object')
      .map(({ severity, title, url, range }) => {
        const versions = (byName.get(name) ?? []).map(({ version }) => version).join(', ');
        return { name, severity, text: `${name} ${versions} (${severity}, ${range}): ${title} ${url}` };
      }),
  );
}
