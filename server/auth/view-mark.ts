import { Refusal } from '@/server/http/problem';
import type { RefusedView, RequestSession } from './person-of-request';

/**
 * Names what a person sees a cluster as: a page and its stream have the same one, or the page is of another view. Empty for a person who
 * sees the console as themselves. It is no secret: the page says the same in its banner.
 */
export function viewMark({ viewer, user, refusedView }: RequestSession): string {
  if (refusedView !== undefined) return JSON.stringify({ refused: refusedView.person.name, why: refusedView.why });
  return viewer === undefined ? '' : JSON.stringify({ user: user.name, groups: user.groups });
}

/** Why a view does not show a cluster: 403 without the right to impersonate there, 503 while nobody knows. */
export function refusalOfView({ person, why }: RefusedView, cluster: string): Refusal {
  const { name } = person;
  if (why === 'unknown') {
    const message = `Cluster ${cluster} does not say whether you may view as ${name} there. Try again, or stop viewing as ${name}.`;
    return new Refusal(503, 'ViewAsUnknown', message);
  }
  const message = `You may not view as ${name} in cluster ${cluster}: that takes the right to impersonate ${name} there.`;
  return new Refusal(403, 'ViewAsRefused', message);
}
