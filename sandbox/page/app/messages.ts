/** A message to the visitor. */
export type Message = { readonly text: string } | { readonly error: unknown };

let listener: (message: Message | undefined) => void = () => undefined;
let current: Message | undefined;

function show(message: Message | undefined): void {
  current = message;
  listener(message);
}

/** Tells the visitor that an action succeeded. */
export const showMessage = (text: string): void => show({ text });

/** Tells the visitor why an action failed. The error stays until it is closed, or another action succeeds. */
export const showError = (error: unknown): void => show({ error });

/** Hides the error of an earlier action. */
export function hideError(): void {
  if (current !== undefined && 'error' in current) show(undefined);
}

export const hideMessage = (): void => show(undefined);

/** Registers the page's only listener for messages. */
export function onMessage(next: typeof listener): void {
  listener = next;
}
