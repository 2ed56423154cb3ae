/** One problem of an argument or an answer. The message never contains the value. */
export interface Issue {
  /** The dotted path of the field; empty for the whole value. */
  readonly path: string;
  /** What is wrong, as the end of a sentence about the field: `must be a UUID`. */
  readonly message: string;
  /** The check of this package that found it (client option `checks`); absent if the API document has the rule. */
  readonly check?: string;
}

/** The same issues with a prefix on their paths: `timeout` becomes `options.timeout`. */
export function issuesAt(path: string, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({
    ...issue,
    path: issue.path === '' ? path : `${path}.${issue.path}`,
  }));
}

/** Issues as one line, for the message of an error. */
export const inWords = (issues: readonly Issue[]): string =>
  issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
