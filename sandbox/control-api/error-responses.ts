import { isErrorNamed } from '../../src/validation/builtins.js';
import { OptionsError } from '../arguments/checked-options.js';
import { IllegalTransitionError, UnknownIdError } from '../arguments/control-errors.js';
import { createProblem, json, NotFound } from '../http/responses.js';

/** @param rejectionStatus the status for a plain Error */
export function createErrorResponse(error: unknown, rejectionStatus: 400 | 409): Response {
  if (error instanceof IllegalTransitionError) {
    const { message, status, legal } = error;
    return json(409, { error: { code: 'illegal_transition', message, issues: [], status, legal } });
  }
  if (error instanceof UnknownIdError || error instanceof NotFound) {
    return createProblem(404, 'not_found', error.message);
  }
  if (error instanceof OptionsError)
    return createProblem(400, 'invalid_request', error.message, error.issues);
  if (isErrorNamed(error, 'TypeError') || isErrorNamed(error, 'RangeError')) {
    return createProblem(400, 'invalid_request', error.message);
  }
  if (error instanceof Error && error.constructor === Error) {
    return createProblem(
      rejectionStatus,
      rejectionStatus === 400 ? 'invalid_request' : 'conflict',
      error.message,
    );
  }
  throw error;
}
