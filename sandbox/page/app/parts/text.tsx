import type { ComponentChildren } from 'preact';
import { useFormats, useTexts } from '../texts/language.js';
import { visible } from '../visible.js';

/** Longer strings are cut on the page. */
const longest = 300;

/** A text that a merchant or a caller sent, never as markup. */
export function UntrustedText({ text, mono = false }: { text: unknown; mono?: boolean }) {
  const t = useTexts();
  const whole = String(text);
  const shown = visible(whole.slice(0, longest));
  return (
    <bdi class={mono ? 'outside mono' : 'outside'}>
      {shown}
      {whole.length > longest && <span class="faint">{t.characters(whole.length)}</span>}
    </bdi>
  );
}

export function Money({ cents }: { cents: number }) {
  return <span class="number">{useFormats().money(cents)}</span>;
}

export function Time({ at }: { at: string }) {
  return (
    <time class="number" dateTime={at} title={at}>
      {useFormats().time(at)}
    </time>
  );
}

/** The colours of statuses. A status without one is neutral. */
const tones: Readonly<Record<string, string>> = {
  paid: 'good',
  approved: 'good',
  active: 'good',
  completed: 'good',
  verified: 'good',
  delivered: 'good',
  waiting_payment: 'wait',
  in_analysis: 'wait',
  submitted: 'wait',
  in_review: 'wait',
  pending: 'wait',
  issued: 'wait',
  refused: 'bad',
  chargedback: 'bad',
  rejected: 'bad',
  failed: 'bad',
  revoked: 'bad',
};

export function Status({ status }: { status: string }) {
  return (
    <span class={`status ${Object.hasOwn(tones, status) ? tones[status] : 'calm'}`}>{visible(status)}</span>
  );
}

/** An HTTP status. */
export function HttpStatus({ status }: { status: number | undefined }) {
  const tone = status === undefined || status >= 500 ? 'bad' : status >= 400 ? 'wait' : 'good';
  return <span class={`status number ${tone}`}>{status ?? '—'}</span>;
}

/** Names and values. Values that are undefined are left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A JSON value, or a string that may be JSON. */
export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <Code label={label} text={visible(printed(value))} />
);

/** A text in several lines, as it is. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard
    <section class="code" aria-label={label} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  );
}

function printed(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, undefined, 2);
  try {
    return JSON.stringify(JSON.parse(value), undefined, 2);
  } catch {
    return value;
  }
}
