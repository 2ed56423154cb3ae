// Fetches the advisories of exactly the bundled packages: npm run verify -- --only advisories
// Exits with 0 if there are none, with 1 if there are some, and with 3 if the registry does not respond.
import { readFileSync } from 'node:fs';
import { inlinedIn } from '../package/bundled.mjs';
import { knownVulnerabilities, RegistryUnavailable } from './advisories.mjs';

const packages = inlinedIn(JSON.parse(readFileSync('package.json', 'utf8')));

try {
  const known = knownVulnerabilities(packages);
  for (const { text } of known) console.log(text);
  console.log(`${packages.length} bundled packages asked about, ${known.length} vulnerabilities known.`);
  process.exitCode = known.length > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof RegistryUnavailable)) throw error;
  console.error(`${error.message}\nNothing was checked: ${packages.length} packages.`);
  process.exitCode = 3;
}
