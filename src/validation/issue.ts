/** One problem of an argument or a response. */
export interface Issue {
  /** The dotted path of the field; empty for the whole value. */
  readonly path: string;
  /** The problem, worded to follow the field's name: `must be a UUID`. */
  readonly message: string;
  /**
   * The check of this package that found the problem (client option `checks`); absent for a rule of the API
   * docs.
   */
  readonly check?: string;
}

/** Adds a prefix to the paths of issues: `timeout` becomes `options.timeout`. */
export function prefixIssues(path: string, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({
    ...issue,
    path: issue.path === '' ? path : `${path}.${issue.path}`,
  }));
}

const ended = (problem: string): string => (/[.!?]$/.test(problem) ? problem : `${problem}.`);

/** `outcome` begins with a space. */
export function listProblems(subject: string, problems: readonly string[], outcome = ''): string {
  const lines = problems.map(ended);
  return lines.length === 1
    ? `${subject}: ${lines[0]}${outcome}`
    : [`${subject} has ${lines.length} problems.${outcome}`, ...lines].join('\n- ');
}

/** `outcome` begins with a space. */
export const listIssues = (subject: string, issues: readonly Issue[], outcome?: string): string =>
  listProblems(
    subject,
    issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)),
    outcome,
  );

/** The result of reading a value: the accepted value, and its issues. */
export class Parsed<Value> {
  constructor(
    readonly value: Value | undefined,
    readonly issues: readonly Issue[] = [],
  ) {}
}
