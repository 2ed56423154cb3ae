import type { Info } from '../../../control/responses.js';
import type { DeliveryFault, PendingDeliveryFault } from '../../../faults/delivery-faults.js';
import { deliveryFaults, namedFaults } from '../../../faults/fault-names.js';
import type { FaultRule, PendingFault } from '../../../faults/request-faults.js';
import { send, useData } from '../api.js';
import { ActionButton } from '../parts/action-button.js';
import { Dialog, Input, SelectField } from '../parts/dialog.js';
import { List } from '../parts/list.js';
import { mono, UntrustedText } from '../parts/text.js';
import type { Texts } from '../texts/en.js';
import { useTexts } from '../texts/language.js';

type Preset = keyof Texts['faults']['preset'];

/** Grouped by the effect on money. Each rule states its phase, so that a pending fault is found again. */
const groups: Readonly<Record<keyof Texts['faults']['group'], Partial<Record<Preset, FaultRule>>>> = {
  moved: {
    lost: { fault: 'reset', phase: 'after-commit' },
    late: { fault: { status: 504 }, phase: 'after-commit', delay: '5s' },
    truncate: { fault: 'truncate', phase: 'after-commit' },
  },
  notMoved: {
    reset: { fault: 'reset', phase: 'before-commit' },
    unavailable: { fault: { status: 503, headers: { 'retry-after': '1' } }, phase: 'before-commit' },
    garbage: { fault: 'garbage', phase: 'before-commit' },
  },
  open: { unknown: { fault: 'acquirer-unknown', phase: 'before-commit' } },
  slow: { slow: { fault: { slow: '5s' }, phase: 'after-commit' } },
};

const presets = Object.values(groups).flatMap((group) => Object.entries(group) as [Preset, FaultRule][]);

const findPreset = ({ fault, phase }: PendingFault): Preset | undefined =>
  presets.find(
    ([, rule]) => rule.phase === phase && JSON.stringify(rule.fault) === JSON.stringify(fault),
  )?.[0];

const statuses = ['400', '401', '403', '404', '408', '409', '429', '500', '502', '503', '504'];

export function Faults() {
  const t = useTexts();
  return (
    <>
      <h1>{t.faults.title}</h1>
      <p class="lead">{t.faults.about}</p>
      <section class="card">
        <h2>{t.faults.presets}</h2>
        <dl class="fault-groups">
          {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
            <div key={group}>
              <dt>{t.faults.group[group]}</dt>
              <dd class="faint">{t.faults.groupAbout[group]}</dd>
              <dd class="actions">
                {(Object.entries(groups[group]) as [Preset, FaultRule][]).map(([name, rule]) => (
                  <ActionButton key={name} run={() => send('faults', rule)}>
                    {t.faults.preset[name]}
                  </ActionButton>
                ))}
              </dd>
            </div>
          ))}
        </dl>
        <div class="actions">
          <OtherFaultDialog />
        </div>
      </section>
      <PendingFaults<PendingFault>
        path="faults"
        title={t.faults.pending}
        none={t.faults.none}
        left={t.faults.left}
        name={(fault) => {
          const preset = findPreset(fault);
          return preset && t.faults.preset[preset];
        }}
        where={({ operation, phase }) => [
          operation === '*' ? t.faults.any : operation,
          t.faults.phases[phase],
        ]}
      />
      <DeliveryFaults />
    </>
  );
}

function OtherFaultDialog() {
  const t = useTexts();
  const info = useData<Info>('info');
  const add = (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const fault = text('fault');
    const delay = text('delay');
    const phase = text('phase');
    return send('faults', {
      fault: /^\d+$/.test(fault) ? { status: Number(fault) } : fault,
      operation: text('operation'),
      ...(phase !== '' && { phase }),
      nth: Number(text('nth')),
      times: Number(text('times')),
      ...(delay !== '' && { delay }),
    });
  };
  const operations = info.data?.operations ?? [];
  return (
    <Dialog open={`${t.faults.own}…`} title={t.faults.own} send={t.faults.add} submit={add}>
      <SelectField
        name="fault"
        label={t.faults.what}
        options={[...namedFaults, ...statuses].map((name) => [
          name,
          /^\d/.test(name) ? `HTTP ${name}` : name,
        ])}
      />
      <SelectField
        name="operation"
        label={t.faults.operation}
        options={[['*', t.faults.any], ...operations.map((id) => [id, id] as const)]}
      />
      <SelectField
        name="phase"
        label={t.faults.phase}
        options={[['', t.faults.usualPhase], ...Object.entries(t.faults.phases)]}
      />
      <Input name="nth" type="number" label={t.faults.nth} value="1" required />
      <Input name="times" type="number" label={t.faults.times} value="1" required />
      <Input name="delay" label={t.faults.delay} hint={t.clock.ownHint} />
    </Dialog>
  );
}

function DeliveryFaults() {
  const t = useTexts();
  const named = (fault: DeliveryFault) => t.deliveryFaults.preset[fault];
  return (
    <>
      <section class="card">
        <h2>{t.deliveryFaults.title}</h2>
        <p class="faint">{t.deliveryFaults.about}</p>
        <div class="actions">
          {deliveryFaults.map((fault) => (
            <ActionButton
              key={fault}
              run={() => send('delivery-faults', { fault, ...(fault === 'delay' && { delay: '2m' }) })}
            >
              {named(fault)}
            </ActionButton>
          ))}
        </div>
      </section>
      <PendingFaults<PendingDeliveryFault>
        path="delivery-faults"
        title={t.deliveryFaults.pending}
        none={t.deliveryFaults.none}
        left={t.deliveryFaults.left}
        name={({ fault }) => named(fault)}
        where={({ event }) => [event === '*' ? t.deliveryFaults.any : event]}
      />
    </>
  );
}

interface Fault {
  readonly id: string | number;
  readonly fault: unknown;
  readonly nth: number;
  /** Undefined for a fault with a rate, because JSON leaves the field out. */
  readonly left?: number | undefined;
  readonly rate?: number | undefined;
}

interface PendingFaultsProps<Item extends Fault> {
  /** In the control API. */
  readonly path: string;
  readonly title: string;
  readonly none: string;
  readonly left: (count: number) => string;
  /** The label of the button that adds the fault; undefined for another fault. */
  readonly name: (fault: Item) => string | undefined;
  readonly where: (fault: Item) => readonly string[];
}

function PendingFaults<Item extends Fault>({
  path,
  title,
  none,
  left,
  name,
  where,
}: PendingFaultsProps<Item>) {
  const t = useTexts();
  const pending = useData<{ data: Item[] }>(path, 'faults');
  const isAny = (pending.data?.data.length ?? 0) > 0;
  const off = ({ id }: Item) => send(`${path}/${encodeURIComponent(id)}`, undefined, 'DELETE');
  return (
    <section>
      <div class="head">
        <h2>{title}</h2>
        {isAny && (
          <ActionButton kind="danger" run={() => send(path, undefined, 'DELETE')}>
            {t.faults.clear}
          </ActionButton>
        )}
      </div>
      <List reading={pending} label={title} empty={none} getKey={({ id }) => String(id)}>
        {(fault) => (
          <div class="row fault">
            <strong>
              {name(fault) ??
                mono(typeof fault.fault === 'string' ? fault.fault : JSON.stringify(fault.fault))}
            </strong>
            {where(fault).map((text) => (
              <UntrustedText key={text} text={text} />
            ))}
            <span class="faint">
              {fault.left === undefined ? t.faults.rate(fault.rate ?? 0) : left(fault.left)}
              {fault.nth > 1 && fault.rate === undefined && `, ${t.faults.from(fault.nth)}`}
            </span>
            <ActionButton run={() => off(fault)} label={`${t.faults.off}: ${fault.id}`}>
              {t.faults.off}
            </ActionButton>
          </div>
        )}
      </List>
    </section>
  );
}
