// Asks the registry what is known against exactly the packages that are bundled: npm run verify -- --only advisories
// Ends with 0 where nothing is known, with 1 where something is, and with 3 where the registry does not say.
import { readFileSync } from 'node:fs';
import { inlinedIn } from '../package/bundled.mjs';
import { knownVulnerabilities, NotAnswered } from './advisories.mjs';

const packages = inlinedIn(JSON.parse(readFileSync('package.json', 'utf8')));

try {
  const known = knownVulnerabilities(packages);
  for (const { text } of known) console.log(text);
  console.log(`${packages.length} bundled packages asked about, ${known.length} vulnerabilities known.`);
  process.exitCode = known.length > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof NotAnswered)) throw error;
  console.error(`${error.message}\nNothing was checked: ${packages.length} packages were asked about.`);
  process.exitCode = 3;
}
