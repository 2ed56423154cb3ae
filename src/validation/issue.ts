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

/** Ends a sentence with a full stop, unless it has an end. */
const ended = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`);

/** Joins problems into a message: one in the line, several as a list. `outcome` begins with a space. */
export function listProblems(subject: string, problems: readonly string[], outcome = ''): string {
  const sentences = problems.map(ended);
  return sentences.length === 1
    ? `${subject}: ${sentences[0]}${outcome}`
    : [`${subject} has ${sentences.length} problems.${outcome}`, ...sentences].join('\n- ');
}

/** Joins issues into a message. `outcome` begins with a space. */
export const listIssues = (subject: string, issues: readonly Issue[], outcome?: string): string =>
  listProblems(
    subject,
    issues.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)),
    outcome,
  );

/** The result of reading a value: the accepted value, and its issues. A class, because a plain object could inherit a property. */
export class Parsed<Value> {
  constructor(
    /** Undefined if nothing was given, or if nothing of it can be used. */
    readonly value: Value | undefined,
    readonly issues: readonly Issue[] = [],
  ) {}
}
