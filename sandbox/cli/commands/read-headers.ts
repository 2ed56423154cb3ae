import { exitCodes, Failure } from '../failure.js';

/** Accepts lines `name: value`, as `curl -i` prints them, or a JSON object. */
export function readHeaders(text: string): Record<string, string> {
  const entries = text.trimStart().startsWith('{') ? fromJson(text) : fromLines(text);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function fromJson(text: string): [string, string][] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Failure('The headers begin like a JSON object and are not JSON.', exitCodes.usage);
  }
  return Object.entries(value as object).map(([name, entry]) => [name, String(entry)]);
}

function fromLines(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}
