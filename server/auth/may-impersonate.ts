import type { Clock } from '@/lib/clock/clock';
import { getAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import type { Api } from '@/server/kube/api';
import { withDeadline } from '@/server/kube/deadline';
import { codeOf } from '@/server/kube/errors';
import type { Person } from './claims';

const REVIEWS = { group: 'authorization.k8s.io', version: 'v1', resource: 'selfsubjectaccessreviews' };
const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** What the API server asks of somebody who impersonates (Kubernetes authentication, "User impersonation"). */
interface Needed {
  readonly resource: 'users' | 'groups' | 'serviceaccounts';
  readonly name: string;
  readonly namespace?: string;
}

/**
 * Which of the names a person may not impersonate, asked with their own authority; empty when they may impersonate all of them.
 *
 * @throws the errors of Api when it cannot be asked: then nothing is allowed
 */
export async function refusedNames(api: Api, clock: Clock, { name, groups }: Person): Promise<string[]> {
  const needed = [neededFor(name), ...groups.map((group): Needed => ({ resource: 'groups', name: group }))];
  const answers = await Promise.all(needed.map((each) => isAllowed(api, clock, each)));
  return needed.flatMap((each, at) => (answers[at] === true ? [] : [`${each.resource}/${each.name}`]));
}

/** An answer is believed for so long; a right that was withdrawn ends the view by then. */
export const FRESH_MS = 30_000;
const MOST_KEPT = 1_000;

/** Whether a person may see the console as another one. `unknown`: the API server did not answer, and nobody sees anything as another user. */
export type ViewVerdict = 'allowed' | 'refused' | 'unknown';

/** Whether persons may see the console as others, asked at most every 30 s, in each cluster for itself. */
export class ImpersonationRights {
  private readonly kept = new Map<string, { readonly answer: Promise<ViewVerdict>; readonly untilMs: number }>();

  constructor(private readonly clock: Clock) {}

  /** @param viewer the identity is of one cluster, and the Api too */
  verdict(viewer: { readonly identity: string; readonly api: Api }, person: Person): Promise<ViewVerdict> {
    const key = JSON.stringify([viewer.identity, person.name, ...person.groups]);
    const nowMs = this.clock.monotonic();
    const known = this.kept.get(key);
    if (known !== undefined && nowMs < known.untilMs) return known.answer;
    const answer = refusedNames(viewer.api, this.clock, person).then(
      (refused): ViewVerdict => (refused.length === 0 ? 'allowed' : 'refused'),
      (error: unknown): ViewVerdict => {
        // A cluster that does not accept the person at all has answered.
        if ([401, 403].includes(codeOf(error))) return 'refused';
        this.kept.delete(key);
        return 'unknown';
      },
    );
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    this.kept.set(key, { answer, untilMs: nowMs + FRESH_MS });
    return answer;
  }
}

function neededFor(user: string): Needed {
  const [, namespace, name] = SERVICE_ACCOUNT.exec(user) ?? [];
  if (namespace === undefined || name === undefined) return { resource: 'users', name: user };
  return { resource: 'serviceaccounts', name, namespace };
}

async function isAllowed(api: Api, clock: Clock, needed: Needed): Promise<boolean> {
  const spec = { resourceAttributes: { verb: 'impersonate', group: '', ...needed } };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: {}, spec };
  const answer = await withDeadline(clock, limits.readDeadlineMs, undefined, (signal) =>
    api.create(REVIEWS, review, { signal }),
  );
  return getAt(answer, 'status', 'allowed') === true;
}
