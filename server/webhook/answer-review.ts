import type { Clock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { isJsonObject, type JsonObject, numberAt } from '@/lib/json/json';
import { readReview } from '@/lib/kudo/admission/review';
import { limits } from '@/lib/limits/limits';
import type { Log } from '@/server/log/log';
import type { WebhookMetrics } from '@/server/metrics/webhook-metrics';
import type { Judge } from './judge';

export interface AnswerOptions {
  readonly judge: Judge;
  readonly clock: Clock;
  readonly log: Log;
  /** Counts and times answers; absent where nobody measures. */
  readonly metrics?: WebhookMetrics | undefined;
}

/** The answer to a POST: the AdmissionReview as JSON text with 200, or one sentence. */
export interface ReviewAnswer {
  readonly status: 200 | 400 | 500;
  readonly text: string;
}

/** Answers the text of an AdmissionReview, within the deadline of a review. Never rejects. */
export async function answerReview(text: string, options: AnswerOptions): Promise<ReviewAnswer> {
  const { judge, clock, log, metrics } = options;
  const beganMs = clock.monotonic();
  const tookMs = () => clock.monotonic() - beganMs;
  const question = readReview(text);
  if (question.kind === 'invalid') return { status: 400, text: question.problem };
  const abort = new AbortController();
  const timer = clock.after(limits.reviewDeadlineMs, () => abort.abort(new Error('the deadline of the review')));
  try {
    const answer = await judge(question, abort.signal);
    // The dry run that asks whether the webhook is reached is always refused.
    if (question.kind !== 'probe') measure(metrics, answer, tookMs());
    return { status: 200, text: JSON.stringify(answer) };
  } catch (error) {
    // Not an answer: the API server then goes on without us (failurePolicy Ignore), and the controller decides later.
    metrics?.answered('error', tookMs());
    log.warn('webhook.no-answer', { problem: messageOf(error) });
    return { status: 500, text: 'the webhook cannot decide now' };
  } finally {
    timer.cancel();
  }
}

function measure(metrics: WebhookMetrics | undefined, answer: JsonObject, tookMs: number): void {
  if (metrics === undefined) return;
  const response = isJsonObject(answer.response) ? answer.response : {};
  const isAllowed = response.allowed === true;
  metrics.answered(isAllowed ? 'allowed' : 'refused', tookMs);
  if (!isAllowed) metrics.refused(numberAt(response.status, 'code'));
}
