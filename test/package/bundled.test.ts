import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };
import {
  billOfMaterials,
  findPackages,
  inlinedDependencies,
  inlinedIn,
} from '../../tools/package/bundled.mjs';

const main = { name: 'payment-platform', version: '1.2.3', license: 'MIT' };
const bundled = [
  { name: '@scope/part', version: '2.0.0', license: 'ISC' },
  { name: 'ky', version: '1.14.3', license: 'MIT' },
];

test('the bill of materials lists the bundled packages with their licences and package URLs', () => {
  const bill = billOfMaterials(main, bundled);
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { purl: 'pkg:npm/payment-platform@1.2.3' } },
    components: [
      {
        type: 'library',
        name: '@scope/part',
        purl: 'pkg:npm/%40scope/part@2.0.0',
        licenses: [{ license: { id: 'ISC' } }],
      },
      { name: 'ky', version: '1.14.3', purl: 'pkg:npm/ky@1.14.3' },
    ],
    dependencies: [
      {
        ref: 'pkg:npm/payment-platform@1.2.3',
        dependsOn: ['pkg:npm/%40scope/part@2.0.0', 'pkg:npm/ky@1.14.3'],
      },
    ],
  });
});

test('the bill of materials writes alternative licences as one expression', () => {
  const [part] = billOfMaterials(main, [
    { name: 'qr', version: '1.0.0', license: '(MIT OR Apache-2.0)' },
  ]).components;
  expect(part?.licenses).toEqual([{ expression: 'MIT OR Apache-2.0' }]);
});

test('the bill of materials has a serial number that depends only on its components', () => {
  const computeSerialNumber = (parts: typeof bundled) => billOfMaterials(main, parts).serialNumber;
  expect(computeSerialNumber(bundled)).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(computeSerialNumber(bundled)).toBe(computeSerialNumber([...bundled]));
  expect(computeSerialNumber(bundled)).not.toBe(computeSerialNumber(bundled.slice(1)));
});

test('the bill of materials lists each bundled package once, and a nested copy with its own version', () => {
  const manifests: Record<string, { name: string; version: string; license: string }> = {
    'node_modules/ky': { name: 'ky', version: '1.14.3', license: 'MIT' },
    'node_modules/@scope/part': { name: '@scope/part', version: '2.0.0', license: 'ISC' },
    '../elsewhere/node_modules/@scope/part/node_modules/ky': { name: 'ky', version: '0.9.0', license: 'MIT' },
  };
  const files = [
    'src/index.ts',
    'node_modules/ky/distribution/index.js',
    'node_modules/ky/distribution/core.js',
    'node_modules/@scope/part/a.js',
    '../elsewhere/node_modules/@scope/part/node_modules/ky/index.js',
  ];
  const read = (folder: string) => manifests[folder] ?? { name: folder, version: '?', license: '?' };
  const packages = findPackages(files, read).map(({ name, version }) => `${name}@${version}`);
  expect(packages).toEqual(['@scope/part@2.0.0', 'ky@0.9.0', 'ky@1.14.3']);
});

test('inlinedDependencies lists the versions of a package that is bundled twice', () => {
  expect(inlinedDependencies([...bundled, { name: 'ky', version: '2.0.0', license: 'MIT' }])).toEqual({
    '@scope/part': '2.0.0',
    ky: ['1.14.3', '2.0.0'],
  });
});

test('inlinedDependencies has the versions that the lock file installs', () => {
  const locked = Object.entries<{ version?: string }>(lock.packages).map(
    ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`,
  );
  const inlined = inlinedIn(manifest).map(({ name, version }) => `${name}@${version}`);
  expect(inlined.length).toBeGreaterThan(30);
  expect(inlined.filter((each) => !locked.includes(each))).toEqual([]);
});
