import type { Clock } from '@/lib/clock/clock';
import { getAt, isJsonObject, stringAt } from '@/lib/json/json';
import { type AccessAnswer, type AccessQuestion, formatQuestion } from '@/lib/kube/access';
import { limits } from '@/lib/limits/limits';
import type { Api } from '@/server/kube/api';
import { collectBody } from '@/server/kube/body';
import { withDeadline } from '@/server/kube/deadline';
import { errorOfResponse } from '@/server/kube/errors';

/** An answer is believed for so long; a right that was taken away is noticed by then. The API decides in any case. */
const FRESH_MS = 30_000;
const MAX_REVIEW_BYTES = 64 * 1024;
const MAX_KEPT = 2_000;
const PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

interface Kept {
  readonly answer: Promise<AccessAnswer>;
  readonly askedAtMs: number;
}

/** A person as the reviews know them: with their own authority, under a name that is theirs alone. */
export interface Reviewer {
  readonly identity: string;
  readonly api: Api;
}

/**
 * What a person may do, by SelfSubjectAccessReview (Kubernetes authorization/v1), one question each at most every 30 s and
 * identity. An API that cannot be asked answers "allowed": the button is then on, and the API says what it thinks of the click.
 */
export class AccessReviews {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly clock: Clock) {}

  ask(reviewer: Reviewer, question: AccessQuestion): Promise<AccessAnswer> {
    const key = `${reviewer.identity}\n${formatQuestion(question)}`;
    const nowMs = this.clock.monotonic();
    const known = this.kept.get(key);
    if (known !== undefined && nowMs - known.askedAtMs < FRESH_MS) return known.answer;
    const answer = review(reviewer.api, this.clock, question).catch(() => {
      this.kept.delete(key);
      return { allowed: true, reason: '' };
    });
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    this.kept.set(key, { answer, askedAtMs: nowMs });
    return answer;
  }
}

async function review(api: Api, clock: Clock, question: AccessQuestion): Promise<AccessAnswer> {
  const { verb, group, resource, namespace } = question;
  const body = JSON.stringify({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb, group, resource, ...(namespace === undefined ? {} : { namespace }) } },
  });
  return withDeadline(clock, limits.readDeadlineMs, undefined, async (signal) => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const response = await api.raw({ method: 'POST', path: PATH, headers, body, signal });
    const text = (await collectBody(response.body, MAX_REVIEW_BYTES)).toString();
    if (response.status >= 300) throw errorOfResponse(response.status, text, response.headers);
    const value: unknown = JSON.parse(text);
    const answer = isJsonObject(value) ? value : {};
    return { allowed: getAt(answer, 'status', 'allowed') === true, reason: stringAt(answer, 'status', 'reason') ?? '' };
  });
}
