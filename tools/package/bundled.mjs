// The packages that are bundled into dist/, as listed by the bundler. Their licences must be included. A bill
// of materials (CycloneDX) shows scanners the contents of an install, which npm does not list, and
// `inlinedDependencies` in package.json shows them to people.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const readManifest = (folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

/** Finds the innermost packages that contain the files. */
export function findPackages(files, read = readManifest) {
  const folders = new Set(
    files.flatMap((file) => file.match(/^.*node_modules\/(@[\w.-]+\/)?[\w.-]+/)?.[0] ?? []),
  );
  const packages = new Map(
    Array.from(folders, (folder) => {
      const { name, version, license } = read(folder);
      return [`${name}@${version}`, { name, version, license, folder }];
    }),
  );
  // Does not sort by locale, so that a build is the same on every machine.
  return [...packages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

function licenceText(folder) {
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(`${folder}/${file}`, 'utf8');
  const { license, author } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  if (license !== 'MIT' || typeof author !== 'string')
    throw new Error(`${folder} is bundled, and has no licence file.`);
  // The package only names its licence, whose text is the one of this package.
  return readFileSync('LICENSE', 'utf8').replace(/^Copyright .*$/m, `Copyright (c) ${author}`);
}

/** Writes the line before a licence. */
const formatHead = ({ name, version }) => `${name} ${version}`;
const ruler = '='.repeat(80);

/** Writes a package URL. A scope's name is percent-encoded. */
const purl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const component = ({ name, version, license }) => ({
  type: 'library',
  'bom-ref': purl({ name, version }),
  name,
  version,
  // More than one licence is an expression instead of an id.
  licenses: [
    license.includes(' ') ? { expression: license.replace(/^\(|\)$/g, '') } : { license: { id: license } },
  ],
  purl: purl({ name, version }),
});

/** Computes a UUID that is the same for the same components, so that a build is reproducible. */
function serialNumber(components) {
  const hash = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  const [, a, b, c, d] = /^(.{8})(.{4}).(.{3}).(.{3})/.exec(hash);
  return `urn:uuid:${a}-${b}-4${c}-8${d}-${hash.slice(20, 32)}`;
}

/** Writes the bill of materials of the package and the packages bundled in it. */
export function billOfMaterials(main, bundled) {
  const components = bundled.map(component);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber(components),
    version: 1,
    metadata: { component: component(main) },
    components,
    dependencies: [{ ref: purl(main), dependsOn: components.map((each) => each['bom-ref']) }],
  };
}

/** Builds `inlinedDependencies` in tsdown's format: one version per name, or a list if there are several. */
export function inlinedDependencies(bundled) {
  const names = [...new Set(bundled.map(({ name }) => name))];
  const listVersions = (wanted) =>
    bundled.filter(({ name }) => name === wanted).map(({ version }) => version);
  return Object.fromEntries(
    names.map((name) => {
      const versions = listVersions(name);
      return [name, versions.length === 1 ? versions[0] : versions];
    }),
  );
}

/** Lists the entries of `inlinedDependencies`. */
export const inlinedIn = ({ inlinedDependencies: inlined = {} }) =>
  Object.entries(inlined).flatMap(([name, versions]) =>
    [versions].flat().map((version) => ({ name, version })),
  );

/** Separates the licence file's packages from the permissions that several of them share. */
const permissionsRuler = '-'.repeat(80);

/** Writes the licences. A permission that several packages grant in the same words is written once, at the end. */
function licencesOf(bundled) {
  const permissions = new Map();
  const texts = bundled.map((each) => {
    const [notice, permission] = licenceText(each.folder)
      .trim()
      .split(/^(?=Permission is hereby granted)/m);
    const head = `${ruler}\n${formatHead(each)}\n\n${notice.trim()}\n`;
    if (permission === undefined) return head;
    const words = permission.replace(/\s+/g, ' ');
    const { number } = permissions.get(words) ?? { number: permissions.size + 1 };
    permissions.set(words, { number, permission: permission.trim() });
    return `${head}\nPermission ${number}, at the end of this file.\n`;
  });
  const shared = [...permissions.values()].map(
    ({ number, permission }) => `${permissionsRuler}\nPermission ${number}\n\n${permission}\n`,
  );
  return [...texts, ...shared].join('\n');
}

/**
 * Writes the bill of materials, the licences and `inlinedDependencies`, from the paths of the bundled files.
 */
export function writeNotices(files, dist = 'dist') {
  const bundled = findPackages(files);
  writeFileSync(`${dist}/THIRD-PARTY-LICENSES.txt`, licencesOf(bundled));
  const manifest = readManifest('.');
  writeFileSync(
    `${dist}/sbom.cdx.json`,
    `${JSON.stringify(billOfMaterials(manifest, bundled), undefined, 2)}\n`,
  );
  const inlined = inlinedDependencies(bundled);
  if (JSON.stringify(inlined) === JSON.stringify(manifest.inlinedDependencies)) return;
  const text = JSON.stringify({ ...manifest, inlinedDependencies: inlined }, undefined, 2);
  writeFileSync('package.json', `${text}\n`);
}
