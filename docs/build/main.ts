import { readFileSync, writeFileSync } from 'node:fs';
import { controlDescription } from '../../src/sandbox/control-api/openapi.js';
import { assumptionsPage } from './assumptions-page.js';
import { choicesPage } from './choices-page.js';
import { configSchema } from './config-schema.js';
import { controlPage } from './control-page.js';
import { withEvents } from './events-section.js';
import { openapiDocument } from './openapi.js';
import { operationsPage } from './operations-page.js';
import { printJson } from './print.js';
import { scenariosPage } from './scenarios-page.js';

const inDocs = (name: string) => new URL(`../${name}`, import.meta.url);
const write = (name: string, content: string) => writeFileSync(inDocs(name), content);

write('openapi.json', printJson(openapiDocument()));
write('assumptions.md', assumptionsPage());
write('operations.md', operationsPage());
write('sandbox-openapi.json', printJson(controlDescription()));
write('config.schema.json', printJson(configSchema()));
write('control-api.md', controlPage());
write('sandbox-choices.md', choicesPage());
write('scenarios.md', scenariosPage());
write('any-language.md', await withEvents(readFileSync(inDocs('any-language.md'), 'utf8')));
