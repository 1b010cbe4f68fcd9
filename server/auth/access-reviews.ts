import type { Clock } from '@/lib/clock/clock';
import { getAt, isJsonObject, stringAt } from '@/lib/json/json';
import { type AccessAnswer, type AccessQuestion, formatQuestion } from '@/lib/kube/access';
import { limits } from '@/lib/limits/limits';
import type { Api } from '@/server/kube/api';
import { readText } from '@/server/kube/body';
import { withDeadline } from '@/server/kube/deadline';
import { errorOfResponse } from '@/server/kube/errors';

/** An answer is believed for so long; a right that was taken away is noticed by then. The API decides in any case. */
const FRESH_MS = 30_000;
/** A review that fails is asked for again after 1 s, and after twice as long each time up to a minute. */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
const MAX_REVIEW_BYTES = 64 * 1024;
const MAX_KEPT = 2_000;
const PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

interface Kept {
  readonly answer: Promise<AccessAnswer>;
  /** Monotonic milliseconds until which the answer is believed. */
  freshUntilMs: number;
  /** How many reviews of this question have failed in a row. */
  failures: number;
}

const NOT_KNOWN: AccessAnswer = { allowed: true, reason: '' };

/** A person as the reviews know them: with their own authority, under a name that is theirs alone. */
export interface Reviewer {
  readonly identity: string;
  readonly api: Api;
}

/**
 * What a person may do, by SelfSubjectAccessReview (Kubernetes authorization/v1), one question each at most every 30 s and
 * identity. While the API cannot be asked the answer is "allowed": the button is then enabled, and the API decides about the click.
 */
export class AccessReviews {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly clock: Clock) {}

  ask(reviewer: Reviewer, question: AccessQuestion): Promise<AccessAnswer> {
    const key = `${reviewer.identity}\n${formatQuestion(question)}`;
    const nowMs = this.clock.monotonic();
    const known = this.kept.get(key);
    if (known !== undefined && nowMs < known.freshUntilMs) return known.answer;
    const failures = known?.failures ?? 0;
    const kept: Kept = {
      answer: askAccess(reviewer.api, this.clock, question).then(
        (answer) => {
          kept.failures = 0;
          return answer;
        },
        () => {
          kept.freshUntilMs = this.clock.monotonic() + Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
          kept.failures = failures + 1;
          return NOT_KNOWN;
        },
      ),
      freshUntilMs: nowMs + FRESH_MS,
      failures,
    };
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    this.kept.set(key, kept);
    return kept.answer;
  }

  /** Every question is asked anew: rights may have changed. */
  forget(): void {
    this.kept.clear();
  }
}

/** One SelfSubjectAccessReview. @throws KubeError */
export async function askAccess(api: Api, clock: Clock, question: AccessQuestion): Promise<AccessAnswer> {
  const { verb, group, namespace } = question;
  const [resource, subresource] = question.resource.split('/');
  const body = JSON.stringify({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb, group, resource, subresource, namespace } },
  });
  return withDeadline(clock, limits.readDeadlineMs, undefined, async (signal) => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const response = await api.raw({ method: 'POST', path: PATH, headers, body, signal });
    const text = await readText(response.body, MAX_REVIEW_BYTES);
    if (response.status >= 300) throw errorOfResponse(response.status, text, response.headers);
    const value: unknown = JSON.parse(text);
    const answer = isJsonObject(value) ? value : {};
    return { allowed: getAt(answer, 'status', 'allowed') === true, reason: stringAt(answer, 'status', 'reason') ?? '' };
  });
}
