import { type Issue, listIssues } from '../../src/validation/issue.js';
import { type Accepted, type OptionReader, readOptions, validIf } from '../../src/validation/options.js';

export class OptionsError extends TypeError {
  readonly #issues: readonly Issue[];

  constructor(call: string, issues: readonly Issue[]) {
    super(listIssues(call, issues));
    this.#issues = issues;
  }

  get issues(): readonly Issue[] {
    return this.#issues;
  }
}

/**
 * @param call the method's name in messages, such as `createSandbox`
 * @param noun the word for an option in messages. Default `option`
 */
export function readCheckedOptions<Table extends object>(
  call: string,
  input: unknown,
  readers: Table,
  noun?: string,
): Accepted<Table> {
  const { value, issues } = readOptions(input, readers, noun);
  if (value !== undefined && issues.length === 0) return value;
  throw new OptionsError(call, issues);
}

export const aText: OptionReader<string> = validIf((value) => typeof value === 'string', 'must be a string');
