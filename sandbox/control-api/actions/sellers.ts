import type { OnboardingDocument } from '../../control/onboarding-control.js';
import { subAccountStatuses, withdrawalTransitions } from '../../defaults/transitions.js';
import { NotFound } from '../../http/responses.js';
import { type AnyAction, action } from '../action.js';
import { enumField, flag, requiredField, text } from '../fields.js';
import { part, selectPart } from '../list-queries.js';
import { responseWith, responseWithList } from '../response-types.js';
import { submitSampleSeller } from '../samples.js';

const onboardingActions: readonly AnyAction[] = [
  action({
    id: 'onboarding.list',
    route: 'GET /onboarding',
    summary: "List the sellers' registrations",
    query: part,
    response: responseWithList('Registration', 'By merchant, in the order of submission.'),
    run: ({ control }, { query }) =>
      selectPart(control.onboarding.list(), query, 'registration', (record) => record.registration_id),
  }),
  action({
    id: 'onboarding.retrieve',
    route: 'GET /onboarding/{id}',
    summary: 'Get a registration, with the names and types of its documents',
    response: responseWith('RegistrationDetails', 'The registration.'),
    run: ({ control }, { params: { id = '' } }) => ({
      ...control.onboarding.retrieve(id),
      documents: Object.entries(control.onboarding.documents(id)).map(metadata),
    }),
  }),
  action({
    id: 'onboarding.document',
    route: 'GET /onboarding/{id}/documents/{field}',
    summary: "Get a document's bytes",
    response: {
      description:
        'Images and PDFs with their content type. Any other file as application/octet-stream, so that browsers save it.',
      types: ['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'application/octet-stream'],
    },
    run: ({ control }, { params: { id = '', field = '' } }) => {
      const documents = new Map(Object.entries(control.onboarding.documents(id)));
      const document = documents.get(field);
      if (document === undefined) throw new NotFound('This registration has no such document.');
      return createDocumentResponse(field, document);
    },
  }),
  action({
    id: 'onboarding.sample',
    route: 'POST /onboarding/sample',
    summary: "Submit a seller's registration through the API, as the sandbox's first merchant",
    body: { kind: enumField('A person or a company. Default `pf`.', ['pf', 'pj']) },
    response: responseWith(
      'Registration',
      'The registration. The journal contains its request. A 409 with the code `refused` explains why the sandbox rejected the request.',
    ),
    conflicts: true,
    run: (sandbox, { body }) => submitSampleSeller(sandbox, body.kind ?? 'pf'),
  }),
  action({
    id: 'onboarding.approve',
    route: 'POST /onboarding/{id}/approve',
    summary: 'Approve a registration, and create its sub-account',
    response: responseWith('Registration', 'The approved registration.'),
    conflicts: true,
    run: ({ control }, { params }) => control.onboarding.approve(params.id ?? ''),
  }),
  action({
    id: 'onboarding.reject',
    route: 'POST /onboarding/{id}/reject',
    summary: 'Reject a registration',
    body: {
      canResubmit: flag('Whether the seller can submit documents again. Default false.'),
      reason: text(
        'The reason. Only the control API and the page show it, because the API docs show no field for it.',
      ),
    },
    response: responseWith('Registration', 'The rejected registration.'),
    conflicts: true,
    run: ({ control }, { params, body }) => control.onboarding.reject(params.id ?? '', body),
  }),
];

const submerchantActions: readonly AnyAction[] = [
  action({
    id: 'submerchants.list',
    route: 'GET /submerchants',
    summary: 'List the sub-accounts',
    query: part,
    response: responseWithList('SubAccountWithBalance', 'By merchant, in the order of creation.'),
    run: (sandbox, { query }) => {
      const balances = sandbox.control.submerchants.balances();
      const { data } = selectPart(
        sandbox.control.submerchants.list(),
        query,
        'sub-account',
        ({ internalId }) => internalId,
      );
      return { data: data.map((account) => ({ ...account, balance: balances.get(account.internalId) })) };
    },
  }),
  action({
    id: 'submerchants.status',
    route: 'POST /submerchants/{id}/status',
    summary: 'Activate or deactivate a sub-account',
    body: {
      status: requiredField(
        enumField(
          'An inactive sub-account cannot own or receive payments, and cannot withdraw.',
          subAccountStatuses,
        ),
      ),
    },
    response: responseWith('SubAccount', 'The sub-account.'),
    run: ({ control }, { params, body }) => control.submerchants.setStatus(params.id ?? '', body.status),
  }),
];

/** Any other string becomes NaN, which matches no withdrawal. */
const withdrawId = (id = '') => (/^\d{1,15}$/.test(id) ? Number(id) : Number.NaN);

const withdrawalEnd = (name: keyof typeof withdrawalTransitions): AnyAction =>
  action({
    id: `withdrawals.${name}`,
    route: `POST /withdrawals/{id}/${name}`,
    summary: `${withdrawalTransitions[name].summary} (\`${withdrawalTransitions[name].to}\`)`,
    response: responseWith('Withdrawal', 'The withdrawal.'),
    conflicts: true,
    run: ({ control }, { params }) => control.withdrawals[name](withdrawId(params.id)),
  });

const withdrawalActions: readonly AnyAction[] = [
  action({
    id: 'withdrawals.list',
    route: 'GET /withdrawals',
    summary: "List the sub-accounts' withdrawals",
    query: part,
    response: responseWithList('Withdrawal', 'By merchant, in the order of creation.'),
    run: ({ control }, { query }) =>
      selectPart(control.withdrawals.list(), query, 'withdrawal', (record) => String(record.withdraw_id)),
  }),
  withdrawalEnd('complete'),
  withdrawalEnd('fail'),
];

const metadata = ([field, { bytes: _, ...document }]: [string, OnboardingDocument]) => ({
  field,
  filename: document.filename,
  contentType: document.contentType,
  size: document.size,
  sha256: document.sha256,
});

export const sellerActions: readonly AnyAction[] = [
  ...onboardingActions,
  ...submerchantActions,
  ...withdrawalActions,
];

/** Media types that a browser displays without running scripts. */
const shownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/pdf']);

/** The bytes are untrusted, so a browser must not run them as a page of the sandbox. */
function createDocumentResponse(field: string, { contentType, bytes }: OnboardingDocument): Response {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isShown = shownTypes.has(type);
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': isShown ? type : 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      ...(!isShown && { 'content-disposition': `attachment; filename*=UTF-8''${encoded(field)}` }),
    },
  });
}

/** RFC 8187. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
