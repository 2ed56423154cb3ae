import { type AnyAction, action } from '../action.js';
import { requiredField, text } from '../fields.js';
import { part, selectPart } from '../list-queries.js';
import { responseWith, responseWithList } from '../response-types.js';

export const walletActions: readonly AnyAction[] = [
  action({
    id: 'domains.list',
    route: 'GET /domains',
    summary: 'List the wallet domains',
    query: part,
    response: responseWithList('Domain', 'By merchant, in the order of registration.'),
    run: ({ control }, { query }) => selectPart(control.domains.list(), query, 'domain', ({ id }) => id),
  }),
  action({
    id: 'domains.verify',
    route: 'POST /domains/{id}/verify',
    summary: "Fetch the verification file from the merchant's server, as a wallet does",
    body: {
      from: text(
        'The origin that serves the file, such as `http://127.0.0.1:3000`. Default: `https://` and the domain.',
      ),
    },
    response: responseWith('Domain', 'The domain, with the status `verified` or `failed`.'),
    conflicts: true,
    run: ({ control }, { params, body }) => control.domains.verify(params.id ?? '', body),
  }),
  action({
    id: 'certificates.list',
    route: 'GET /certificates',
    summary: 'List the wallet certificates',
    query: part,
    response: responseWithList('Certificate', 'By merchant, in the order of creation.'),
    run: ({ control }, { query }) =>
      selectPart(control.certificates.list(), query, 'certificate', ({ id }) => id),
  }),
  action({
    id: 'certificates.create',
    route: 'POST /certificates',
    summary: 'Create a certificate record with its signing request',
    body: {
      merchantIdentifier: text(
        '1 to 64 letters, digits, dots, dashes and underscores. Default `merchant.sandbox.example`.',
      ),
      clientId: text("The merchant. Default: the sandbox's first one."),
    },
    response: responseWith('Certificate', 'The record, with the status `issued`.'),
    run: ({ control }, { body }) => control.certificates.create(body),
  }),
  action({
    id: 'certificates.issue',
    route: 'POST /certificates/issue',
    summary: "Issue a certificate from the sandbox's test certificate authority",
    body: { signingRequestPem: requiredField(text('A PKCS#10 request in PEM, signed with its own key.')) },
    response: responseWith('IssuedCertificate', 'The certificate.'),
    rejectionStatus: 400,
    run: async ({ control }, { body }) => {
      const { certificate, authority } = await control.certificates.issue(body.signingRequestPem);
      return { certificate, authority };
    },
  }),
];
