import { brokenRules } from '../../contract/operation.js';
import { type Issue, issuesAt } from '../../input/issue.js';
import { isRecord } from '../../input/record.js';
import { formIssues } from '../upload/form.js';
import type { PreparedCall } from './prepare-call.js';
import { mismatches } from './schema-issues.js';
import type { CallSchemas } from './schemas.js';

/** Everything that is wrong with a call: what shows by itself, and what departs from the API document. */
export function callIssues(call: PreparedCall, schemas: CallSchemas): readonly Issue[] {
  const { spec, query, body, issues } = call;
  const ofQuery =
    schemas.query !== undefined && isRecord(query) ? issuesAt('query', mismatches(schemas.query, query)) : [];
  const ofBody =
    schemas.request === undefined ? [] : [...mismatches(schemas.request, body), ...brokenRules(spec, body)];
  if (spec.encoding !== 'multipart' && ofQuery.length + ofBody.length === 0) return issues;
  const known = [...issues, ...untold([...ofQuery, ...ofBody], issues)];
  return spec.encoding === 'multipart' ? [...known, ...untold(formIssues(body, known), known)] : known;
}

/** A value that JSON cannot carry is told once, not again as a value of the wrong type. */
function untold(found: readonly Issue[], told: readonly Issue[]): readonly Issue[] {
  const paths = new Set(told.map(({ path }) => path));
  return found.filter(({ path }) => !paths.has(path));
}
