import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api.js';
import { hideMessage, type Message, onMessage } from '../messages.js';
import { en } from '../texts/en.js';
import { useTexts } from '../texts/language.js';
import { visible } from '../visible.js';

/** The page contains only one message area. */
export function MessageArea() {
  const t = useTexts();
  const [message, setMessage] = useState<Message>();
  useEffect(() => onMessage(setMessage), []);
  const isError = message !== undefined && 'error' in message;
  useEffect(() => {
    if (message === undefined || isError) return;
    const timer = setTimeout(hideMessage, 5_000);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div class="said" role={isError ? 'alert' : 'status'}>
      {message !== undefined && (
        <p class={isError ? 'message bad' : 'message'}>
          <span>{'error' in message ? <ErrorText error={message.error} /> : message.text}</span>
          <button type="button" class="quiet" onClick={hideMessage}>
            {t.close}
          </button>
        </p>
      )}
    </div>
  );
}

/** The sandbox's own message is in English. */
function ErrorText({ error }: { error: unknown }) {
  const t = useTexts();
  if (!(error instanceof ApiError)) return <>{t.gone}</>;
  const code = error.code ?? '';
  // The page has its own complete message for these errors, in each language.
  if (Object.hasOwn(en.errors, code)) return <>{t.errors[code]}</>;
  return (
    <>
      {t.errors[code]} <span lang="en">{visible(error.message.slice(0, 500))}</span>
    </>
  );
}
