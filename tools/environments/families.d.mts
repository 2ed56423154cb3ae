export interface Row {
  readonly environment: string;
  readonly version: string;
  readonly use: string;
}

export const families: Readonly<Record<string, (workspace: object) => readonly Row[]>>;
