import { inTime, isPromise, late } from '../../input/outside.js';

/** Who takes longer is away. In milliseconds. */
const stepTimeout = 5000;

/**
 * Runs a step of the merchant's store or secret manager. Rejects if it throws, rejects, or takes five seconds; one
 * that gives its answer at once is not waited for.
 *
 * @param who for the message.
 * @param onLate gets an answer that came too late.
 */
export function step<Answer>(
  work: () => Answer | PromiseLike<Answer>,
  who: string,
  onLate?: (answer: Answer) => void,
): Answer | Promise<Answer> {
  try {
    const answer = work();
    return isPromise(answer) ? punctual(answer, who, onLate) : answer;
  } catch (error) {
    return Promise.reject(error);
  }
}

async function punctual<Answer>(
  asked: PromiseLike<Answer>,
  who: string,
  onLate?: (answer: Answer) => void,
): Promise<Answer> {
  const answer = await inTime(asked, stepTimeout, onLate);
  if (answer === late) throw new Error(`${who} did not answer within ${stepTimeout} ms.`);
  return answer;
}
