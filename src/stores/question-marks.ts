/** Replaces each parameter with `?`, for databases and libraries that bind parameters by position. */
export function withQuestionMarks(text: string, values: unknown[]): [text: string, values: unknown[]] {
  const inOrder: unknown[] = [];
  const marked = text.replace(/\$(\d+)/g, (_, number) => {
    inOrder.push(values[Number(number) - 1]);
    return '?';
  });
  return [marked, inOrder];
}
