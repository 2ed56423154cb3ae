import { assumptionsPage } from './assumptions-page.js';
import { choicesPage } from './choices-page.js';
import { controlPage } from './control-page.js';
import { eventsPage } from './events-page.js';
import { operationsPage } from './operations-page.js';
import { scenariosPage } from './scenarios-page.js';
import type { Language } from './words.js';

/** Every generated page, by its name. */
export const pages: Readonly<Record<string, (language: Language) => string | Promise<string>>> = {
  'assumptions.md': assumptionsPage,
  'control-api.md': controlPage,
  'events.md': eventsPage,
  'operations.md': operationsPage,
  'sandbox-choices.md': choicesPage,
  'scenarios.md': scenariosPage,
};

/** Where a page is, seen from docs/. */
export const pathOf = (name: string, language: Language) => (language === 'en' ? name : `pt/${name}`);
