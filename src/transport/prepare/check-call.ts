import { type ChecksOff, withoutChecks } from '../../contract/own-checks.js';
import { mismatches } from '../../contract/schema-issues.js';
import { type Issue, issuesAt } from '../../input/issue.js';
import { isRecord } from '../../input/record.js';
import { formIssues } from '../upload/form.js';
import type { PreparedCall } from './prepare-call.js';
import type { CallSchemas } from './schemas.js';

/**
 * Every issue of a call: those found while it was prepared, and the differences from the API document.
 *
 * @param off the own checks that are turned off.
 */
export function callIssues(call: PreparedCall, schemas: CallSchemas, off: ChecksOff): readonly Issue[] {
  return withoutChecks(foundIssues(call, schemas), off, call.spec, call.body);
}

function foundIssues(call: PreparedCall, schemas: CallSchemas): readonly Issue[] {
  const { spec, query, body, issues } = call;
  const ofQuery =
    schemas.query !== undefined && isRecord(query) ? issuesAt('query', mismatches(schemas.query, query)) : [];
  const ofBody =
    schemas.request === undefined
      ? []
      : [...mismatches(schemas.request, body), ...((isRecord(body) && spec.rules?.(body)) || [])];
  if (spec.encoding !== 'multipart' && ofQuery.length + ofBody.length === 0) return issues;
  const known = [...issues, ...withoutReported([...ofQuery, ...ofBody], issues)];
  return spec.encoding === 'multipart'
    ? [...known, ...withoutReported(formIssues(body, known), known)]
    : known;
}

/** Drops issues whose path has one already: a value that JSON cannot carry is not reported again as a wrong type. */
function withoutReported(found: readonly Issue[], reported: readonly Issue[]): readonly Issue[] {
  const paths = new Set(reported.map(({ path }) => path));
  return found.filter(({ path }) => !paths.has(path));
}
