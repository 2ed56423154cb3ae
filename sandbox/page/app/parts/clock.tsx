import { useEffect, useRef } from 'preact/hooks';
import { showError } from '../messages.js';
import { useFormats, useTexts } from '../texts/language.js';
import { ActionButton } from './action-button.js';
import { advance, useClock } from './now.js';

/** In milliseconds. */
const steps = [60_000, 15 * 60_000, 3_600_000, 24 * 3_600_000];

export function ClockPanel() {
  const t = useTexts();
  const { now, frozen } = useClock();
  const { dayAndTime, duration } = useFormats();
  const panel = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (panel.current !== null && !(target instanceof Node && panel.current.contains(target)))
        panel.current.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('hashchange', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('hashchange', close);
    };
  }, []);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const input = form.elements.namedItem('duration') as HTMLInputElement;
    const sent = input.value;
    const show = (error: unknown) => {
      // The panel would hide the message.
      if (panel.current !== null) panel.current.open = false;
      showError(error);
    };
    advance(sent.trim()).then(() => {
      // Input that was typed meanwhile is kept.
      if (input.value === sent) form.reset();
    }, show);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || panel.current === null) return;
    panel.current.open = false;
    panel.current.querySelector('summary')?.focus();
  };
  return (
    <details class="clock" ref={panel} onKeyDown={onKeyDown}>
      <summary>
        <span class="sr">{t.clock.label}: </span>
        <span class="number">{now === undefined ? '…' : dayAndTime(now)}</span>{' '}
        <span class="pill">{frozen ? t.clock.frozen : t.clock.running}</span>
      </summary>
      <div class="panel">
        <p class="faint">{t.clock.about}</p>
        <div class="actions">
          {steps.map((step) => (
            <ActionButton key={step} run={() => advance(step)} label={t.clock.move(duration(step))}>
              +{duration(step)}
            </ActionButton>
          ))}
        </div>
        <form class="inline" onSubmit={onSubmit}>
          <label for="own-duration">{t.clock.own}</label>
          <input
            id="own-duration"
            name="duration"
            required
            placeholder={t.clock.ownHint}
            autocomplete="off"
            size={10}
          />
          <button type="submit" class="plain">
            {t.clock.go}
          </button>
        </form>
      </div>
    </details>
  );
}
