export interface Section {
  readonly version: string;
  readonly date?: string;
  readonly text: string;
}

export function otherVersions(root: string): readonly string[];
export function nextVersion(version: string): string;
export function splitChangelog(changelog: string): readonly Section[];
export function cutChangelog(changelog: string, version: string, date: string): string;
export function notCut(changelog: string, version: string): string | undefined;
export function cut(root: string, version: string, date: string): void;
