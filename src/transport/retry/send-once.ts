import { UnreadableResponseError } from '../../errors/network.js';
import type { CallSpan } from '../../telemetry/spans.js';
import type { Deadline } from '../call/deadline.js';
import type { PreparedCall } from '../prepare/prepare-call.js';
import type { CallReport, ReportSettings } from '../report/call-report.js';
import { type Classification, classifyFailure, classifyStatus } from '../response/classify-failure.js';
import { readResult, UnreadableBodyError } from '../response/read-response.js';
import { attachMeta } from '../response/response-meta.js';
import { type Engine, EngineFailure, type EngineRequest, type EngineResponse } from '../send/engine.js';
import { FailedAttempt } from './failed-attempt.js';

/** What a request is sent with. */
export interface Sender {
  readonly call: PreparedCall;
  readonly engine: Engine;
  readonly deadline: Deadline;
  readonly settings: ReportSettings;
  readonly report: () => CallReport;
  readonly span: CallSpan | undefined;
}

/**
 * Sends the request of one attempt, and reads its answer.
 *
 * @param attempt 1 for the first
 * @param mayHaveExecuted whether an earlier attempt may have been executed
 */
export async function sendOnce(
  { call, engine, deadline, settings, report, span }: Sender,
  headers: Readonly<Record<string, string>>,
  attempt: number,
  mayHaveExecuted: boolean,
): Promise<object | FailedAttempt> {
  const request: EngineRequest = {
    method: call.spec.method,
    target: call.target,
    headers,
    body: call.content,
  };
  const started = performance.now();
  let response: EngineResponse | undefined;
  try {
    response = await (span === undefined
      ? engine.send(request, deadline)
      : span.attempt((traced) => engine.send(withHeaders(request, traced), deadline)));
    if (settings.hooks.onResponse !== undefined)
      report().response(attempt, response, performance.now() - started);
    const { head } = response;
    if (head.status < 200 || head.status > 299)
      return new FailedAttempt(classifyStatus(head.status, call.spec, mayHaveExecuted), { response });
    const result = readResult(response, call.spec, call.shapes, settings.names);
    if (settings.hooks.onDrift !== undefined) report().drift(attempt, result, response);
    const { requestIdHeader } = settings.names;
    return attachMeta(result, { head, requestIdHeader, idempotencyKey: call.key, attempts: attempt });
  } catch (error) {
    if (response !== undefined && error instanceof UnreadableBodyError) return unreadable(response, error);
    if (!(error instanceof EngineFailure)) throw error;
    const { status, stale: isStale, cause } = error.details;
    // If the answer had an error status, that says more than that its body was incomplete.
    const hasErrorStatus = status !== undefined && (status < 200 || status > 299);
    const classification = hasErrorStatus
      ? classifyStatus(status, call.spec, mayHaveExecuted)
      : classifyFailure(error, deadline.stopReason, settings.baseUrl.host, call.timeout);
    return new FailedAttempt(classification, { status, isStale, cause });
  }
}

/** A success that cannot be read: the call was executed, or may have been. */
function unreadable(response: EngineResponse, { message, permanent }: UnreadableBodyError): FailedAttempt {
  const classification: Classification = {
    retry: permanent ? 'never' : 'if-repeatable',
    outcome: 'unknown',
    summary: `the response (${response.head.status}) cannot be read, because ${message}`,
    error: UnreadableResponseError,
  };
  return new FailedAttempt(classification, { response });
}

/** A request with the headers of its trace. What the call itself sets stays. */
const withHeaders = (request: EngineRequest, headers: Record<string, string>): EngineRequest => ({
  ...request,
  headers: Object.assign(headers, request.headers),
});
