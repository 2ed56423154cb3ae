import { expect, test } from 'vitest';
import { billOfMaterials } from './bundled.mjs';

const main = { name: 'payment-platform', version: '1.2.3', license: 'MIT' };
const bundled = [
  { name: '@scope/part', version: '2.0.0', license: 'ISC' },
  { name: 'ky', version: '1.14.3', license: 'MIT' },
];

test('the bill of materials names what is bundled, with its licence and a package URL', () => {
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

test('a choice of licences is an expression', () => {
  const [part] = billOfMaterials(main, [
    { name: 'qr', version: '1.0.0', license: '(MIT OR Apache-2.0)' },
  ]).components;
  expect(part?.licenses).toEqual([{ expression: 'MIT OR Apache-2.0' }]);
});

test('its number is that of its components: a build that is repeated gives the same', () => {
  const numberOf = (parts: typeof bundled) => billOfMaterials(main, parts).serialNumber;
  expect(numberOf(bundled)).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(numberOf(bundled)).toBe(numberOf([...bundled]));
  expect(numberOf(bundled)).not.toBe(numberOf(bundled.slice(1)));
});
