/**
 * Runs a short session of a merchant's program, which is the same in every environment. It has a payment
 * whose first attempt fails, a form with files, an access token, webhooks, and a printed error. Some
 * environments run the compiled session, and others compile it, so it uses only features that all
 * environments support. The runner checks the requests that the platform received.
 */
import {
  type ClientOptions,
  isPaymentPlatformError,
  PaymentPlatform,
  responseOf,
  type UploadProgress,
} from 'payment-platform';
import {
  createReceiver,
  type Receiver,
  toLambdaHandler,
  verify,
  verifyAsync,
  WebhookVerificationError,
} from 'payment-platform/webhooks';

/** The program's input from the runner, as JSON. */
export interface JourneyInput {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  idempotencyKey: string;
  /** The bytes of a document, in base64. */
  photo: string;
  /** The path of a document, if there is a file system. */
  path?: string;
  webhook: { secret: string; body: string; headers: Record<string, string> };
  /** Whether the runtime has node:crypto, which `verify` needs. */
  hasNodeCrypto: boolean;
  /**
   * Whether the program listens to the upload's progress. Over fetch, this can turn the upload into a stream.
   */
  watchesUpload: boolean;
}

export interface JourneyResult {
  engine: string;
  registrationId: string;
}

/** A server for the journey. */
export interface JourneyServer {
  url: string;
  close(): unknown;
}

/** Options that only some environments set. */
export interface JourneyOptions extends Pick<ClientOptions, 'fetch'> {
  /**
   * Starts a server that passes its requests to the receiver. Without a server, the receiver gets Requests.
   */
  serve?: (receiver: Receiver) => JourneyServer | Promise<JourneyServer>;
}

export async function journey(
  input: JourneyInput,
  { serve, ...options }: JourneyOptions = {},
): Promise<JourneyResult> {
  const { baseUrl, clientId, clientSecret } = input;
  const platform = new PaymentPlatform({ baseUrl, clientId, clientSecret, ...options });
  await pay(platform, input);
  const registrationId = await onboard(platform, input);
  await check(input);
  await receive(input, serve);
  await print(platform, input);
  platform.close();
  return { engine: platform.engine, registrationId };
}

async function pay(platform: PaymentPlatform, { idempotencyKey }: JourneyInput): Promise<void> {
  const payment = await platform.payments.create(
    {
      externalId: 'order-1042',
      amount: 1990,
      paymentMethod: 'pix',
      customer: { name: 'Ana Souza' },
      items: [{ title: 'Café 500 g', quantity: 1, unitPrice: 1990 }],
    },
    { idempotencyKey },
  );
  const { attempts } = responseOf(payment);
  if (attempts !== 2) throw new Error(`The payment took ${attempts} attempts instead of 2.`);
}

/** Sends a form with bytes, a Blob and, if possible, a file, then fetches its status with OAuth. */
async function onboard(
  platform: PaymentPlatform,
  { photo, path, watchesUpload }: JourneyInput,
): Promise<string> {
  const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0));
  const form = {
    cnpj: '12.ABC.345/01DE-35',
    representativeName: 'Ana Conceição',
    selfie: bytes,
    cartaoCnpj: new Blob([bytes], { type: 'application/pdf' }),
  };
  let registrationId: string;
  let uploaded = 0;
  const onUploadProgress = ({ sent }: UploadProgress) => {
    uploaded = sent;
  };
  try {
    const sent = path === undefined ? form : { ...form, contratoSocial: path };
    registrationId = (await platform.onboarding.submitPj(sent, watchesUpload ? { onUploadProgress } : {}))
      .registration_id;
  } catch (error) {
    if (!isPaymentPlatformError(error)) throw error;
    const { outcome, attempts } = error;
    throw new Error(`The upload ended as ${outcome} after ${attempts} attempts: ${error.message}`);
  }
  if (watchesUpload && uploaded < bytes.length) throw new Error(`The progress ended at ${uploaded} bytes.`);
  const { status } = await platform.onboarding.status(registrationId, { auth: 'oauth' });
  if (status !== 'submitted') throw new Error(`The registration is ${status}.`);
  return registrationId;
}

async function check({ webhook, hasNodeCrypto }: JourneyInput): Promise<void> {
  const { secret, body, headers } = webhook;
  const { event } = await verifyAsync({ body, headers }, { secret });
  if (event !== 'transaction.paid') throw new Error(`verifyAsync gave the event ${event}.`);
  const forged = await catchError(() => verifyAsync({ body: `${body} `, headers }, { secret }));
  if (!(forged instanceof WebhookVerificationError))
    throw new Error(`verifyAsync did not refuse a forged delivery: ${forged}`);
  if (hasNodeCrypto && verify({ body, headers }, { secret }).event !== event)
    throw new Error('verify and verifyAsync do not agree.');
}

/** Receives a delivery, a forged one and a repeated one, and then the same as Lambda events. */
async function receive(
  { webhook: { secret, body, headers } }: JourneyInput,
  serve: JourneyOptions['serve'],
): Promise<void> {
  const events: string[] = [];
  const receiver = createReceiver({
    secret,
    on: { 'transaction.paid': async ({ externalReference }) => events.push(`handled ${externalReference}`) },
    onRejected: ({ reason }) => events.push(reason),
    onDuplicate: () => events.push('duplicate'),
  });
  const server = await serve?.(receiver);
  const url = server?.url ?? 'http://merchant.test/webhooks';
  const send = async (body: string) => {
    const request = { method: 'POST', headers, body };
    return (await (server ? fetch(url, request) : receiver.fetch(new Request(url, request)))).status;
  };
  const statuses = [await send(body), await send(`${body} `), await send(body)];
  const { statusCode } = await toLambdaHandler(receiver)({ headers, body });
  await server?.close();
  const found = [...statuses, statusCode, ...events].join(', ');
  const wanted = '200, 400, 200, 200, handled order-1042, signature-mismatch, duplicate, duplicate';
  if (found !== wanted) throw new Error(`The receiver responded and told ${found}.`);
}

/** Prints an error whose response repeats the secret. The runner also checks the output. */
async function print(platform: PaymentPlatform, { clientSecret }: JourneyInput): Promise<void> {
  const error = await catchError(() => platform.domains.list());
  if (!isPaymentPlatformError(error)) throw new Error(`This error is not from the package: ${error}`);
  if (error.status !== 400) throw error;
  const printed = { text: String(error), json: JSON.stringify(error), client: JSON.stringify(platform) };
  for (const [how, text] of Object.entries(printed)) {
    if (text.includes(clientSecret)) throw new Error(`The secret is in the error as ${how}.`);
  }
  console.log(error);
  console.log(platform);
}

async function catchError(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error('A call that must fail did not.');
}
