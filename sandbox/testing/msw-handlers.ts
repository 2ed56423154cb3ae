import { listIssues } from '../../src/validation/issue.js';
import { type OptionReaders, readOptions, required, validIf } from '../../src/validation/options.js';
import { isRecord } from '../../src/validation/record.js';
import type { Sandbox } from '../control/sandbox-interface.js';

/** The part of msw's `http` that the handlers use. */
export interface MswHttp<Handler> {
  /** Creates a handler for requests whose URL matches. */
  all(predicate: RegExp, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

/** Options of `sandboxHandlers`. */
export interface SandboxHandlersOptions<Handler> {
  /** msw's `http`: `import { http } from 'msw'`. */
  http: MswHttp<Handler>;
  /** The base address of the client under test. Default: the one in `sandbox.clientOptions()`. */
  baseUrl?: string | undefined;
}

const optionReaders: OptionReaders<SandboxHandlersOptions<unknown>> = {
  http: required(
    validIf(
      (value) => isRecord(value) && typeof value.all === 'function',
      "must be http of msw: import { http } from 'msw'",
    ),
    "is required: import { http } from 'msw', and pass it",
  ),
  baseUrl: validIf((value) => typeof value === 'string' && URL.canParse(value), 'must be a URL'),
};

/**
 * Creates msw handlers that let a sandbox respond to every request to a base address:
 * `setupServer(...sandboxHandlers(sandbox, { http }))`. A fault that breaks the connection becomes a network
 * error.
 *
 * The test passes its own `http`, so that this package works without msw, and with the msw that the test loads.
 *
 * @throws TypeError that names every problem of the options.
 */
export function sandboxHandlers<Handler>(
  sandbox: Pick<Sandbox, 'fetch' | 'clientOptions'>,
  options: SandboxHandlersOptions<Handler>,
): Handler[] {
  const { value, issues } = readOptions(options, optionReaders);
  if (value?.http === undefined || issues.length > 0) {
    throw new TypeError(listIssues('sandboxHandlers', issues));
  }
  const base = new URL(value.baseUrl ?? sandbox.clientOptions().baseUrl);
  const prefix = (base.origin + base.pathname).replace(/\/$/, '');
  const pattern = new RegExp(`^${prefix.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`);
  const http = value.http as MswHttp<Handler>;
  return [
    http.all(pattern, async ({ request }) => {
      const path = request.url.slice(prefix.length);
      try {
        return await sandbox.fetch(new Request(`${base.origin}${path}`, request));
      } catch {
        // msw turns this response into a network error. For a thrown error, it would respond with 500.
        return Response.error();
      }
    }),
  ];
}
