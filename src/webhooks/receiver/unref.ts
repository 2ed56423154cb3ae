/** Lets the process end before a timer does. Elsewhere than in Node a timer may be a number. */
export function unref(timer: unknown): void {
  (timer as { unref?(): void }).unref?.();
}
