import { cpfPattern } from '../../../src/contract/brazil.js';
import type { Fields } from '../../../src/contract/operation.js';
import type { Issue } from '../../../src/validation/issue.js';
import { isRecord } from '../../../src/validation/record.js';
import type { SubAccount, TaxDocument } from '../../sellers/sub-accounts.js';
import { textFields } from '../../sellers/uploaded-file.js';
import type { Call, Handlers } from '../handler.js';
import { createProblem, json, requireFound } from '../responses.js';

/** Bodies have passed the contract's schema, so the casts are safe. */
export const submerchantHandlers = {
  'submerchants.create': {
    reads: 'everything',
    run: ({ merchant, body, idempotencyKey = '' }) => {
      const fields = textFields(body as Fields);
      const document = findDocument(fields);
      return json(
        merchant.behaviour.statuses.submerchantCreated,
        summarize(merchant.accounts.add({ externalId: idempotencyKey, document, fields })),
      );
    },
  },
  'submerchants.update': {
    reads: 'everything',
    run: ({ merchant, params, body }) => {
      const account = requireFound(merchant.accounts.find(params.internalId ?? ''), noSubAccount);
      return json(200, summarize(merchant.accounts.update(account, body as Fields)));
    },
  },
  'submerchants.withdrawals.create': {
    reads: ['internalId', 'amount'],
    issues: ({ body }) => withdrawalIssues(body),
    run: withdraw,
  },
  'submerchants.withdrawals.retrieve': {
    run: ({ merchant, params }) => {
      const record = merchant.withdrawals.find(Number(params.withdrawId));
      const { withdraw_id, status } = requireFound(record, 'No withdrawal has this id.');
      return json(200, { withdraw_id, status });
    },
  },
} satisfies Partial<Handlers>;

export const summarize = ({ internalId, externalId, status }: SubAccount) => ({
  internalId,
  externalId,
  status,
});

export const noSubAccount = 'This merchant has no such sub-account.';

function findDocument({ documentNumber, documentType }: Fields): TaxDocument | undefined {
  if (typeof documentNumber !== 'string') return undefined;
  const type = typeof documentType === 'string' ? documentType : undefined;
  return { number: documentNumber, type: type ?? (cpfPattern.test(documentNumber) ? 'cpf' : 'cnpj') };
}

/** The fields of this body are not in the contract. */
function withdrawalIssues(body: unknown): Issue[] {
  if (!isRecord(body)) return [];
  const issues: Issue[] = [];
  if (typeof body.internalId !== 'string') {
    issues.push({ path: 'internalId', message: 'must be the internalId of a sub-account' });
  }
  if (!Number.isSafeInteger(body.amount) || Number(body.amount) < 1) {
    issues.push({ path: 'amount', message: 'must be a number of cents: an integer of at least 1' });
  }
  return issues;
}

function withdraw({ merchant, body }: Call): Response {
  const { internalId, amount } = body as { internalId: string; amount: number };
  const account = requireFound(merchant.accounts.find(internalId), noSubAccount);
  if (account.status !== 'active') {
    return createProblem(400, 'submerchant_not_active', `Sub-account ${internalId} is ${account.status}.`);
  }
  const { statuses, withdrawals } = merchant.behaviour;
  const balance = merchant.balances().get(internalId) ?? 0;
  if (withdrawals.balance === 'required' && amount > balance) {
    return createProblem(
      400,
      'insufficient_balance',
      `Sub-account ${internalId} has ${balance} cents, and ${amount} are to be withdrawn.`,
    );
  }
  const { withdraw_id, status } = merchant.withdrawals.add(internalId, amount);
  return json(statuses.withdrawalCreated, { withdraw_id, status });
}
