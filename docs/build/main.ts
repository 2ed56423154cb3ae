import { writeFileSync } from 'node:fs';
import { assumptionsPage } from './assumptions-page.js';
import { openapiDocument } from './openapi.js';
import { operationsPage } from './operations-page.js';
import { printJson } from './print.js';

const write = (name: string, content: string) =>
  writeFileSync(new URL(`../${name}`, import.meta.url), content);

write('openapi.json', printJson(openapiDocument()));
write('assumptions.md', assumptionsPage());
write('operations.md', operationsPage());
