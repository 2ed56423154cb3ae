/** An answer in place of the platform's. */
export interface FaultAnswer {
  /** 200 to 599. */
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** Text and bytes go out as they are, anything else as JSON. */
  body?: unknown;
}

/** The answer that a fault puts in place of the platform's. Throws when it is none that can be sent. */
export function faultResponse({ status, headers = {}, body }: FaultAnswer): Response {
  const response = isRaw(body)
    ? new Response(body, { status })
    : new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> | undefined {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array;
}
