export type Step<Context> = readonly [title: string, step: (context: Context) => string];

export function take<Context>(
  list: readonly Step<Context>[],
  context: Context,
  print: (line: string) => void,
): boolean;
