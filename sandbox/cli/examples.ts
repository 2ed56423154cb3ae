import type { Command } from 'commander';

const id = '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed';

export const examples: Readonly<Record<string, readonly string[]>> = {
  sandbox: [
    '--webhook http://127.0.0.1:3000/webhooks',
    '--seed 1 --now 2026-01-01T00:00:00Z',
    '--print-config > payment-platform.config.json',
  ],
  cards: ['', '--json'],
  'payments list': ['', '--status waiting_payment --limit 5'],
  'payments create': [
    '--pix --amount 4990',
    '--card 4111111111111111 --field externalId=order-1001',
    '--boleto --field boleto.expirationDate=2026-12-31 --open',
  ],
  'payments show': [id, `${id} --open`],
  show: [id, `${id} --json`],
  status: ['', '--url http://127.0.0.1:4010'],
  pay: [id],
  refuse: [id],
  refund: [id],
  chargeback: [id],
  cancel: [id],
  expire: [id],
  'approve-onboarding': [id],
  'reject-onboarding': [`${id} --can-resubmit --reason "the photo is blurred"`],
  resend: [id],
  'verify-domain': [id, `${id} --from http://127.0.0.1:3000`],
  resolve: ['order-1001 created', 'order-1001 not-created'],
  advance: ['15m', '2d'],
  reset: [''],
  onboarding: ['', '--limit 5 --json'],
  deliveries: ['', '--state failed'],
  journal: ['', '--follow', '--limit 100 --json'],
  'faults add': [
    'reset --operation payments.create --phase after-commit',
    '503 --times 3',
    '\'{"slow":"3s"}\'',
    'drop --delivery',
  ],
  'faults list': ['', '--delivery'],
  'faults remove': ['1'],
  'faults clear': [''],
  'webhooks listen': ['', '--forward http://127.0.0.1:3000/webhooks'],
  'webhooks send': [
    'transaction.paid --to http://127.0.0.1:3000/webhooks',
    'transaction.paid --to http://127.0.0.1:3000/webhooks --external-reference order-1001 --amount 4990',
    '--file paid.json --field customer.name=Ana --to http://127.0.0.1:3000/webhooks',
  ],
  doctor: [
    '--base-url https://staging.platform.example',
    '--base-url http://127.0.0.1:4010 --charge --webhook-url http://127.0.0.1:3000/webhooks',
  ],
  'check-integration': [
    `--shop http://127.0.0.1:3000 --amount 1990 --pix 'POST /orders {"id":"{order}"}'`,
    `--shop http://127.0.0.1:3000 --amount 1990 --card 'POST /buy {"token":"{cardToken}"}' --paid paidAt`,
  ],
  'durable counts': ['', '--database-url postgres://localhost/shop --json'],
  'durable list': ['--state unknown --older-than 5m', '--limit 500 --json'],
  'durable show': ['order-1042', 'order-1042 --show-payload --json'],
  'durable settle': ['order-1042 --dry-run', 'order-1042 --yes'],
  'durable refresh': ['order-1042'],
  'durable retry': ['order-1042'],
  'durable cancel': ['order-1042'],
  'durable confirm': ['withdrawal-7 --withdraw-id 4211'],
  'durable dismiss': ['withdrawal-8'],
  'durable tables': ['--as drizzle', '--database-url ./shop.db', '--apply'],
  mcp: ['', '--port 4020'],
  'webhooks verify': ['--body body.json --headers headers.txt'],
};

export function addExamples(program: Command, parents: readonly string[] = []): void {
  for (const command of program.commands) {
    const name = [...parents, command.name()];
    const lines = examples[name.join(' ')];
    if (lines !== undefined) command.addHelpText('after', toText(name.join(' '), lines));
    addExamples(command, name);
  }
}

const toText = (name: string, lines: readonly string[]) =>
  `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.map((line) => `  payment-platform ${name} ${line}`.trimEnd()).join('\n')}`;
