import { assumptionsPage } from './assumptions-page.js';
import { controlPage } from './control-page.js';
import { defaultsPage } from './defaults-page.js';
import { eventsPage } from './events-page.js';
import { messagesPage } from './messages-page.js';
import { operationsPage } from './operations-page.js';
import { commandPage } from './reference/command-page.js';
import { methodsPages } from './reference/methods-page.js';
import { optionsPages } from './reference/options-page.js';
import { scenariosPage } from './scenarios-page.js';
import type { Language } from './words.js';

/** Every generated page, by its name. */
export const pages: Readonly<Record<string, (language: Language) => string | Promise<string>>> = {
  'assumptions.md': assumptionsPage,
  'command.md': commandPage,
  'control-api.md': controlPage,
  'events.md': eventsPage,
  'messages.md': messagesPage,
  ...methodsPages,
  'operations.md': operationsPage,
  ...optionsPages,
  'sandbox-defaults.md': defaultsPage,
  'scenarios.md': scenariosPage,
};

/** Returns a page's path, relative to docs/. */
export const toPagePath = (name: string, language: Language) => (language === 'en' ? name : `pt/${name}`);
