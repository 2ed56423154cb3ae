import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../texts/language.js';
import { visible } from '../visible.js';

interface Message {
  readonly text: string;
  readonly isError: boolean;
}

let show: (message: Message | undefined) => void = () => undefined;

/** Shows the visitor the outcome of an action. */
export const showMessage = (text: string) => show({ text, isError: false });

export const showError = (error: unknown) =>
  show({ text: error instanceof Error ? error.message : String(error), isError: true });

/** Shows the messages. The page has one. */
export function MessageArea() {
  const t = useTexts();
  const [message, setMessage] = useState<Message>();
  useEffect(() => {
    show = setMessage;
  }, []);
  useEffect(() => {
    if (message === undefined || message.isError) return;
    const timer = setTimeout(() => setMessage(undefined), 5_000);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div class="said" role={message?.isError ? 'alert' : 'status'}>
      {message !== undefined && (
        <p class={message.isError ? 'message bad' : 'message'}>
          <span>{visible(message.text.slice(0, 500))}</span>
          <button type="button" class="quiet" onClick={() => setMessage(undefined)}>
            {t.close}
          </button>
        </p>
      )}
    </div>
  );
}
