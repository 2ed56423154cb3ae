import { type ComponentChildren, Fragment } from 'preact';
import { useFormats, useTexts } from '../texts/language.js';
import { visible } from '../visible.js';
import { useToday } from './now.js';

/** Longer strings are truncated. */
const longest = 300;

/** For a string from a merchant or a caller, which is never markup. */
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

/** As `UntrustedText`, in facts and cells. Undefined without a string. */
export const plain = (text: unknown, isMono = false) =>
  text == null || text === '' ? undefined : <UntrustedText text={text} mono={isMono} />;

export const mono = (text: unknown) => plain(text, true);

/** For the sandbox's own strings. Shows parts between backticks as code. */
export function TextWithCode({ text }: { text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}

/** Narrow lines break between the name's parts. */
export function EventName({ event }: { event: string }) {
  const parts = visible(event.slice(0, longest)).split(/(?<=[._])/);
  return (
    <bdi>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </bdi>
  );
}

export function Money({ cents }: { cents: number }) {
  return <span class="number">{useFormats().money(cents)}</span>;
}

interface TimeProps {
  readonly at: string;
  /** Times are shown relative to the first step. */
  readonly since?: string | undefined;
}

export function Time({ at, since }: TimeProps) {
  const { time, elapsed } = useFormats();
  const today = useToday();
  return (
    <time class="number" dateTime={at} title={at}>
      {since === undefined ? time(at, today) : elapsed(Date.parse(at) - Date.parse(since))}
    </time>
  );
}

/** All others are neutral. */
const tones: Readonly<Record<string, string>> = {
  paid: 'good',
  approved: 'good',
  active: 'good',
  completed: 'good',
  verified: 'good',
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

interface StatusLabelProps {
  readonly status: string;
  /** Whether the API's name is visible next to the label. It is always under the pointer. */
  readonly isNamed?: boolean;
}

export function StatusLabel({ status, isNamed = false }: StatusLabelProps) {
  const t = useTexts();
  const label = Object.hasOwn(t.status, status) ? t.status[status] : undefined;
  const name = visible(status);
  return (
    <span class="labelled" title={name}>
      <span class={`status ${Object.hasOwn(tones, status) ? tones[status] : 'calm'}`}>{label ?? name}</span>
      {isNamed && <small class="faint mono">{name}</small>}
    </span>
  );
}

export function HttpStatus({ status }: { status: number | undefined }) {
  const t = useTexts();
  const tone = status === undefined || status >= 500 ? 'bad' : status >= 400 ? 'wait' : 'good';
  return <span class={`status number ${tone}`}>{status ?? t.webhooks.noResponse}</span>;
}

/** Leaves out undefined values. */
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

/** A string can contain JSON. */
export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <Code label={label} text={visible(printed(value))} />
);

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
