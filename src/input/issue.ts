/** One problem, with the path of the offending value. */
export interface Issue {
  /** Dotted; empty for the value as a whole. */
  readonly path: string;
  readonly message: string;
}

/** The same problems, of a value that is itself a part of something: `timeout` becomes `options.timeout`. */
export function issuesAt(path: string, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({
    path: issue.path === '' ? path : `${path}.${issue.path}`,
    message: issue.message,
  }));
}

/** Problems in one line, for the message of an error. */
export const inWords = (issues: readonly Issue[]): string =>
  issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
