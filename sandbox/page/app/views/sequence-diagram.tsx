import type { ComponentChildren } from 'preact';
import type { TimelineEntry } from '../../../timeline/timeline.js';
import { EventName, HttpStatus, StatusLabel, Time, UntrustedText } from '../parts/text.js';
import { to } from '../route.js';
import { useFormats, useTexts } from '../texts/language.js';
import { FaultName } from './journal.js';

interface SequenceDiagramProps {
  readonly entries: readonly TimelineEntry[];
  readonly linked?: boolean;
}

interface Context {
  /** Undefined if no other request has the key. */
  readonly findLetter: (key: string | undefined) => string | undefined;
  /** The numbers of the requests that the sandbox has responded to. */
  readonly responded: ReadonlySet<number>;
  /** The numbers of requests whose payment had already been charged. */
  readonly repeats: ReadonlySet<number>;
}

export function SequenceDiagram({ entries, linked = false }: SequenceDiagramProps) {
  const t = useTexts();
  const context = collectContext(entries);
  return (
    <div class="sequence">
      <div class="lanes" aria-hidden="true">
        <span>{t.timeline.code}</span>
        <span>{t.timeline.platform}</span>
        <span>{t.timeline.receiver}</span>
      </div>
      <ol>
        {entries.map((entry, index) => (
          <Step
            key={entry.number}
            entry={entry}
            context={context}
            linked={linked}
            isLater={entry.at !== entries[index - 1]?.at}
            since={index === 0 ? undefined : entries[0]?.at}
          />
        ))}
      </ol>
    </div>
  );
}

function collectContext(entries: readonly TimelineEntry[]): Context {
  const attempts = entries.filter(({ kind }) => kind === 'request');
  const keys = attempts.map(({ idempotencyKey }) => idempotencyKey).filter((key) => key !== undefined);
  const repeated = [...new Set(keys)].filter((key) => keys.filter((one) => one === key).length > 1);
  const charged = new Set<string>();
  const repeats = new Set<number>();
  for (const entry of entries) {
    if (entry.kind === 'status' && entry.isFirst) charged.add(entry.paymentId);
    if (entry.kind === 'request' && entry.paymentId !== undefined && charged.has(entry.paymentId))
      repeats.add(entry.request);
  }
  return {
    findLetter: (key) => {
      const index = key === undefined ? -1 : repeated.indexOf(key);
      return index === -1 ? undefined : String.fromCharCode(65 + (index % 26));
    },
    responded: new Set(entries.flatMap((entry) => (entry.kind === 'response' ? [entry.request] : []))),
    repeats,
  };
}

interface StepProps {
  readonly entry: TimelineEntry;
  readonly context: Context;
  readonly linked: boolean;
  /** Whether the clock has moved since the previous step. */
  readonly isLater: boolean;
  /** Undefined for the first step itself. */
  readonly since: string | undefined;
}

function Step({ entry, context, linked, isLater, since }: StepProps) {
  const content = <Content entry={entry} context={context} />;
  return (
    <li class="step">
      <span class="when">
        {isLater && <Time at={entry.at} since={since} />}
        {linked && entry.paymentId !== undefined && (
          <a href={to('payments', entry.paymentId)} class="mono">
            {entry.paymentId.slice(0, 8)}
          </a>
        )}
      </span>
      {content}
    </li>
  );
}

function Content({ entry, context }: Pick<StepProps, 'entry' | 'context'>) {
  switch (entry.kind) {
    case 'request':
      return <RequestStep entry={entry} context={context} />;
    case 'fault':
      return <FaultStep entry={entry} context={context} />;
    case 'response':
      return <ResponseStep entry={entry} context={context} />;
    case 'attempt':
      return <AttemptStep entry={entry} />;
    case 'receipt':
      return <ReceiptStep entry={entry} />;
    default:
      return <NoteStep entry={entry} />;
  }
}

type Of<Kind> = Extract<TimelineEntry, { kind: Kind }>;

function RequestStep({ entry, context }: { entry: Of<'request'>; context: Context }) {
  const t = useTexts();
  const letter = context.findLetter(entry.idempotencyKey);
  return (
    <Arrow way="out">
      <a href={to('journal', String(entry.request))}>
        <UntrustedText text={`${entry.method ?? ''} ${entry.path ?? ''}`} mono />
      </a>
      {letter !== undefined && <span class="pill key">{t.timeline.key(letter)}</span>}
    </Arrow>
  );
}

function FaultStep({ entry, context }: { entry: Of<'fault'>; context: Context }) {
  const t = useTexts();
  const isExecuted = entry.phase === 'after-commit' || entry.phase === 'mid-response';
  const text = isExecuted || entry.fault === 'acquirer-unknown' ? undefined : t.timeline.notExecuted;
  if (context.responded.has(entry.request)) {
    return (
      <Note tone="bad">
        <FaultName fault={entry.fault} /> {text}
      </Note>
    );
  }
  return (
    <Arrow way="back" isLost>
      <FaultName fault={entry.fault} /> {text ?? t.timeline.lost}
    </Arrow>
  );
}

function ResponseStep({ entry, context }: { entry: Of<'response'>; context: Context }) {
  const t = useTexts();
  const status = typeof entry.status === 'number' ? entry.status : undefined;
  const isRepeat = context.repeats.has(entry.request) && entry.operation === 'payments.create';
  return (
    <Arrow way="back">
      <HttpStatus status={status} />
      {isRepeat && status !== undefined && status < 300 && <small>{t.timeline.replay}</small>}
      {entry.operation === 'payments.create' && status === 409 && <small>{t.timeline.conflict}</small>}
    </Arrow>
  );
}

function AttemptStep({ entry }: { entry: Of<'attempt'> }) {
  const t = useTexts();
  const { event, attempt, fault, deliveryId } = entry;
  return (
    <Arrow way="on" isLost={fault === 'drop'}>
      <a href={to('webhooks', deliveryId)}>
        <span class="mono">
          <EventName event={event} />
        </span>
      </a>
      {attempt > 1 && <small>{t.timeline.attempt(attempt)}</small>}
      {fault !== undefined && <span class="status bad">{t.deliveryFaults.preset[fault]}</span>}
    </Arrow>
  );
}

function ReceiptStep({ entry }: { entry: Of<'receipt'> }) {
  const t = useTexts();
  const { status, error } = entry;
  return (
    <Arrow way="from" isLost={error !== undefined}>
      {error === undefined ? <HttpStatus status={Number(status)} /> : t.timeline.noResponse}
    </Arrow>
  );
}

function NoteStep({ entry }: { entry: Of<'status' | 'clock' | 'control'> }) {
  const t = useTexts();
  const { money, duration } = useFormats();
  if (entry.kind === 'clock') return <p class="moved">{t.timeline.clock(duration(entry.by))}</p>;
  if (entry.kind === 'control') {
    const [group, name = ''] = entry.call.split('.');
    const isKnown = group === 'payments' && Object.hasOwn(t.payments.act, name);
    const call = isKnown ? t.payments.act[name as keyof typeof t.payments.act] : entry.call;
    return <Note>{t.timeline.control(call)}</Note>;
  }
  return (
    <Note tone={entry.isFirst ? 'charge' : undefined}>
      {entry.isFirst && <strong>{t.timeline.charged(money(entry.amount))}</strong>}
      <StatusLabel status={String(entry.status)} />
    </Note>
  );
}

interface ArrowProps {
  /**
   * `out`: from the code to the platform; `back`: its response. `on`: from the platform to the receiver;
   * `from`: its response.
   */
  readonly way: 'out' | 'back' | 'on' | 'from';
  readonly isLost?: boolean;
  readonly children: ComponentChildren;
}

/** Its direction is also written out for screen readers. */
function Arrow({ way, isLost = false, children }: ArrowProps) {
  const { code, platform, receiver } = useTexts().timeline;
  const ends = {
    out: [code, platform],
    back: [platform, code],
    on: [platform, receiver],
    from: [receiver, platform],
  }[way];
  return (
    <div class={`arrow ${way}${isLost ? ' lost' : ''}`}>
      <span class="sr">{ends.join(' → ')}: </span>
      <span class="says">{children}</span>
      <span class="line" aria-hidden="true" />
    </div>
  );
}

function Note({ tone, children }: { tone?: 'bad' | 'charge' | undefined; children: ComponentChildren }) {
  return (
    <div class={`note ${tone ?? ''}`}>
      <span class="says">{children}</span>
    </div>
  );
}
