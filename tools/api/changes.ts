// Compares two reports of an entry point, and checks that the changelog mentions the changes.
import { type Entry, parsedReport } from './report.js';

/** A name whose declaration changed. */
export interface Change {
  /** The kind of change. `widened`: only optional members were added. */
  readonly kind: 'added' | 'widened' | 'changed' | 'removed';
  readonly name: string;
  /**
   * The name itself, and the exported names that refer to it. The changelog must mention one of these names.
   */
  readonly reachedBy: readonly string[];
}

/** Checks that a change only adds optional members, or adds any members to a class or a response. */
function isWidened(before: string, after: string): boolean {
  const old = before.split('\n');
  const added: string[] = [];
  let next = 0;
  for (const line of after.split('\n')) {
    if (line === old[next]) next++;
    else added.push(line);
  }
  const isOutput = /^((abstract )?class|response) /m.test(before);
  return next === old.length && added.every((line) => isOutput || /^\s+(readonly )?\w+\?/.test(line));
}

/** Matches a name as whole words. A name can be a path, such as `POST /payments/{id}`. */
const toWordPattern = (name: string) => {
  const literal = (name.split(' of ')[0] ?? '').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `(?<![\\w/])${literal}(?![\\w/])`;
};

/** Lists the exported names whose declarations mention a name, directly or not. */
function reachedBy(name: string, entries: readonly Entry[]): string[] {
  const found = new Set([name]);
  for (const reached of found) {
    const word = new RegExp(toWordPattern(reached));
    for (const entry of entries) if (word.test(entry.text)) found.add(entry.name);
  }
  const exported = new Set(entries.filter(({ isExported }) => isExported).map((entry) => entry.name));
  return [...found].filter((each) => each === name || exported.has(each));
}

/** Lists the changes from one report to another, ordered by name. */
export function changesBetween(before: string, after: string): Change[] {
  const [old, now] = [parsedReport(before), parsedReport(after)];
  const names = [...new Set([...old, ...now].map(({ name }) => name))].sort();
  return names.flatMap((name) => {
    const was = old.find((entry) => entry.name === name);
    const is = now.find((entry) => entry.name === name);
    // An unexported name appears and disappears with the exports that use it.
    if (!was?.isExported && !is?.isExported && (was === undefined || is === undefined)) return [];
    if (was?.text === is?.text && was?.isExported === is?.isExported) return [];
    const change = (kind: Change['kind'], reached: readonly string[] = [name]) => [
      { kind, name, reachedBy: reached },
    ];
    if (was === undefined || (is?.isExported && !was.isExported)) return change('added');
    if (is === undefined || (was.isExported && !is.isExported)) return change('removed');
    return change(isWidened(was.text, is.text) ? 'widened' : 'changed', reachedBy(name, now));
  });
}

/** Lists the changelog entries since a version, each with its heading. */
function entriesSince(changelog: string, version: string): { heading: string; text: string }[] {
  const [younger = ''] = changelog.split(`\n## [${version}]`);
  return younger.split(/^### /m).flatMap((part, index) => {
    const [heading = '', ...lines] = part.split('\n');
    if (index === 0) return [];
    const items = lines.join('\n').split(/^- /m).slice(1);
    return items.map((text) => ({ heading: heading.trim(), text }));
  });
}

/** Lists the changes that the changelog does not mention. */
export function listUnmentioned(changes: readonly Change[], changelog: string, version: string): string[] {
  const entries = entriesSince(changelog, version);
  return changes.flatMap(({ kind, name, reachedBy }) => {
    const isBreaking = kind === 'changed' || kind === 'removed';
    const where = entries.filter(
      ({ heading }) => !isBreaking || heading === 'Changed' || heading === 'Removed',
    );
    const isMentioned = reachedBy.some((each) => {
      const named = new RegExp(`\`[^\`\n]*${toWordPattern(each)}[^\`\n]*\``);
      return where.some(({ text }) => named.test(text));
    });
    if (isMentioned) return [];
    const place = isBreaking ? '"Changed" or "Removed"' : 'any heading';
    const others = reachedBy.filter((each) => each !== name).slice(0, 3);
    const names = [name, ...others].map((each) => `\`${each}\``);
    const choice = names.join(', ').replace(/, ([^,]*)$/, ' or $1');
    return [
      `${name} was ${kind} since ${version}, and CHANGELOG.md does not say so: name ${choice} in an entry under ${place}.`,
    ];
  });
}
