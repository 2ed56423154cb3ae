import { writeFileSync } from 'node:fs';
import { assumptionsModule, shapesModule } from './print-module.js';

const write = (name: string, content: string) =>
  writeFileSync(new URL(`../../src/contract/generated/${name}`, import.meta.url), content);

write('shapes.ts', shapesModule());
write('assumptions.ts', assumptionsModule());
