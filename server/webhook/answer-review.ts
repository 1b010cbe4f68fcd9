import type { Clock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { readReview } from '@/lib/kudo/admission/review';
import { limits } from '@/lib/limits/limits';
import type { Log } from '@/server/log/log';
import type { Judge } from './judge';

export interface AnswerOptions {
  readonly judge: Judge;
  readonly clock: Clock;
  readonly log: Log;
}

/** The answer to a POST: the AdmissionReview as JSON text with 200, or one sentence. */
export interface ReviewAnswer {
  readonly status: 200 | 400 | 500;
  readonly text: string;
}

/** Answers the text of an AdmissionReview, within the deadline of a review. Never rejects. */
export async function answerReview(text: string, { judge, clock, log }: AnswerOptions): Promise<ReviewAnswer> {
  const question = readReview(text);
  if (question.kind === 'invalid') return { status: 400, text: question.problem };
  const abort = new AbortController();
  const timer = clock.after(limits.reviewDeadlineMs, () => abort.abort(new Error('the deadline of the review')));
  try {
    return { status: 200, text: JSON.stringify(await judge(question, abort.signal)) };
  } catch (error) {
    // Not an answer: the API server then goes on without us (failurePolicy Ignore), and the controller decides later.
    log.warn('webhook.no-answer', { problem: messageOf(error) });
    return { status: 500, text: 'the webhook cannot decide now' };
  } finally {
    timer.cancel();
  }
}
