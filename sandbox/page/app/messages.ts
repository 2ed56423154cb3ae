export type Message = { readonly text: string } | { readonly error: unknown };

let listener: (message: Message | undefined) => void = () => undefined;
let current: Message | undefined;

function show(message: Message | undefined): void {
  current = message;
  listener(message);
}

export const showMessage = (text: string): void => show({ text });

/** The error stays until it is closed, or another action succeeds. */
export const showError = (error: unknown): void => show({ error });

export function hideError(): void {
  if (current !== undefined && 'error' in current) show(undefined);
}

export const hideMessage = (): void => show(undefined);

/** The page has only one listener. */
export function onMessage(next: typeof listener): void {
  listener = next;
}
