// The packages that are bundled into dist/: their licences, which ask for their text to come along, and a
// bill of materials (CycloneDX), which tells a scanner what an install contains although npm lists nothing.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const manifestOf = (folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

/** The folders of the packages that the files are in. */
const foldersOf = (files) =>
  [...new Set(files.flatMap((file) => file.match(/node_modules\/(?:@[\w.-]+\/)?[\w.-]+/) ?? []))].sort();

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${folder} is bundled, and has no licence file.`);
  return readFileSync(`${folder}/${file}`, 'utf8');
}

/** A package URL: the name of a scope is percent-encoded. */
const purl = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const component = ({ name, version, license }) => ({
  type: 'library',
  'bom-ref': purl({ name, version }),
  name,
  version,
  // More than one licence is an expression, and not the id of one.
  licenses: [
    license.includes(' ') ? { expression: license.replace(/^\(|\)$/g, '') } : { license: { id: license } },
  ],
  purl: purl({ name, version }),
});

/** A UUID that is the same for the same components, so that a build can be repeated. */
function serialNumber(components) {
  const hash = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  const [, a, b, c, d] = /^(.{8})(.{4}).(.{3}).(.{3})/.exec(hash);
  return `urn:uuid:${a}-${b}-4${c}-8${d}-${hash.slice(20, 32)}`;
}

/** The bill of materials of a package that contains others. */
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

/** Writes both beside the code that they are about, from the paths of what is in it. */
export function writeNotices(files, dist = 'dist') {
  const folders = foldersOf(files);
  const texts = folders.map((folder) => `${folder}\n\n${licenceText(folder)}`);
  writeFileSync(`${dist}/THIRD-PARTY-LICENSES.txt`, texts.join('\n\n'));
  const bill = billOfMaterials(manifestOf('.'), folders.map(manifestOf));
  writeFileSync(`${dist}/sbom.cdx.json`, `${JSON.stringify(bill, undefined, 2)}\n`);
}
