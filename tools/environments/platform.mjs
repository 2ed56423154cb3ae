// The platform's side of the journey: a sandbox that responds over HTTP, and the checks of the received
// requests.
import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

export const webhookSecret = `whsec_${randomBytes(16).toString('hex')}`;

/** Contains every byte value, and the marks that form parsers look for. */
const photo = Buffer.concat([
  Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 31) % 256)),
  Buffer.from('\r\n--boundary\r\n\r\n'),
]);

/** Marks the error that the journey prints. */
const marker = 'request_refused_by_the_platform';

/**
 * The requests that the platform receives in one session: two attempts of the payment, and each other request
 * once.
 */
const expectedCalls = [
  ['payments.create', 503],
  ['payments.create', 201],
  ['onboarding.submitPj', 202],
  ['oauth.token', 200],
  ['onboarding.status', 200],
  ['domains.list', 400],
];

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

function wants(isTrue, problem) {
  if (!isTrue) throw new Error(problem);
}

/**
 * Runs the session in a program, and checks its effects.
 *
 * @param take starts the program with its input, and resolves with its output and its result
 * @returns the engine that sent the requests
 */
export async function watchJourney(
  { createSandbox, sign, document },
  take,
  { files = true, hasNodeCrypto = true, watchesUpload = false } = {},
) {
  const sandbox = createSandbox();
  try {
    const server = await sandbox.listen();
    const { baseUrl, clientId, clientSecret } = server.clientOptions();
    const body = JSON.stringify({ event: 'transaction.paid', externalReference: 'order-1042' });
    const idempotencyKey = `order-${randomBytes(8).toString('hex')}`;
    sandbox.faults.add({ operation: 'payments.create', fault: { status: 503 } });
    const echo = {
      error: { code: marker, message: `${marker}: no client ${clientId} with ${clientSecret}`, clientSecret },
    };
    sandbox.faults.add({ operation: 'domains.list', fault: { status: 400, body: echo } });
    const { printed, result } = await take({
      baseUrl,
      clientId,
      clientSecret,
      idempotencyKey,
      photo: photo.toString('base64'),
      ...(files && { path: document.path }),
      webhook: { secret: webhookSecret, body, headers: sign({ body, secret: webhookSecret }) },
      hasNodeCrypto,
      watchesUpload,
    });
    wants(printed.includes(marker), 'The error was not printed.');
    for (const secret of [clientSecret, webhookSecret])
      wants(!printed.includes(secret), 'A secret was printed with the error or the client.');
    const calls = sandbox.journal.requests.map(({ operation, status }) => [operation, status]);
    wants(isDeepStrictEqual(calls, expectedCalls), `The platform received ${JSON.stringify(calls)}.`);
    wants(sandbox.ledger.charges.length === 1, `There are ${sandbox.ledger.charges.length} charges.`);
    wants(sandbox.ledger.chargesFor(idempotencyKey).length === 1, 'The charge has another key.');
    checkDocuments(sandbox, result.registrationId, files ? document.bytes : undefined);
    return result.engine;
  } finally {
    await sandbox.close();
  }
}

/**
 * Sends a receiver a delivery, a forged one and a repeated one. The receiver prints each outcome.
 *
 * @returns the expected output
 */
export async function deliver({ sign }, url) {
  const externalReference = `order-${randomBytes(4).toString('hex')}`;
  const body = JSON.stringify({ event: 'transaction.paid', externalReference });
  const headers = { 'content-type': 'application/json', ...sign({ body, secret: webhookSecret }) };
  const statuses = [];
  for (const sent of [body, `${body} `, body]) {
    const { status } = await fetch(url, { method: 'POST', headers, body: sent });
    statuses.push(status);
  }
  wants(isDeepStrictEqual(statuses, [200, 400, 200]), `The receiver at ${url} responded ${statuses}.`);
  return [`handled ${externalReference}`, 'refused, signature-mismatch', 'a repeat'];
}

/** Checks a receiver's output for all deliveries. */
export function checkPrinted(printed, expected) {
  const lines = [...printed.matchAll(/receiver: (.*)/g)].map(([, what]) => what.trim());
  wants(isDeepStrictEqual(lines, expected), `Of the deliveries was printed ${JSON.stringify(lines)}.`);
}

function checkDocuments(sandbox, registrationId, file) {
  wants(sandbox.control.onboarding.list().length === 1, 'There is not exactly one registration.');
  const { fields } = sandbox.control.onboarding.retrieve(registrationId);
  wants(fields.representativeName === 'Ana Conceição', 'The text of the form was changed.');
  const documents = sandbox.control.onboarding.documents(registrationId);
  const received = Object.fromEntries(Object.entries(documents).map(([name, { sha256 }]) => [name, sha256]));
  const sent = { selfie: photo, cartaoCnpj: photo, ...(file !== undefined && { contratoSocial: file }) };
  const expected = Object.fromEntries(Object.entries(sent).map(([name, bytes]) => [name, sha256(bytes)]));
  wants(
    isDeepStrictEqual(received, expected),
    `The files that arrived are not those sent: ${Object.keys(received)}.`,
  );
  wants(documents.cartaoCnpj.contentType === 'application/pdf', 'A file lost its content type.');
}
