import { shapes } from '../../src/contract/generated/shapes.js';
import type { OperationId } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/operation.js';
import type { Issue } from '../../src/validation/issue.js';
import { parseJson } from '../../src/validation/json.js';
import { isRecord } from '../../src/validation/record.js';
import { UploadedFile } from '../sellers/uploaded-file.js';

export interface ParsedForm {
  readonly form: unknown;
  readonly issues: readonly Issue[];
}

export function readFormFields(operation: Operation<OperationId>, body: unknown): ParsedForm {
  if (!isRecord(body)) return { form: body, issues: [] };
  const form: Record<string, unknown> = { ...body };
  const fields = Object.entries(shapes[operation.id].request?.fields ?? {});
  const issues: Issue[] = [];
  for (const [name] of fields)
    if (Array.isArray(form[name])) issues.push({ path: name, message: 'is sent more than once' });
  for (const [path, { type }] of fields) {
    const file = form[path];
    if (type === 'file' && file instanceof UploadedFile && file.size === 0)
      issues.push({ path, message: 'is empty: a file of 0 bytes is a missing file', check: 'file.empty' });
  }
  for (const [name, { type }] of fields) {
    if (type !== 'object' || form[name] === undefined) continue;
    const text = form[name];
    if (typeof text === 'string') form[name] = objectIn(text) ?? text;
    const problem = findProblem(form[name]);
    if (problem !== undefined) issues.push({ path: name, message: problem });
  }
  return { form, issues };
}

function objectIn(text: string): unknown {
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function findProblem(value: unknown): string | undefined {
  if (value instanceof UploadedFile) return 'must be a string, not a file';
  return typeof value === 'string' ? 'must be a JSON object in a string' : undefined;
}
