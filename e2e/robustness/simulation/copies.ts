import { type GroupVersionResource, nameOf, namespaceOf } from '@/lib/kube/object';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import type { Cache } from '@/server/kube/cache';
import type { Copy } from '../invariants/fact';
import type { Simulation } from './simulation';

/** Watched by every controller with the label of our objects. */
const OURS = 'kudo';

/** The caches of each controller that runs, and what the API lists (I8). */
export function copiesOf(simulation: Simulation): Copy[] {
  return simulation.processes
    .filter(({ clock }) => !clock.isDead)
    .flatMap(({ name, controller }) =>
      controller.caches.map(
        (cache): Copy => ({
          fact: 'copy',
          of: `the cache of ${cache.target.resource} of ${name}`,
          held: heldBy(cache),
          truth: truthOf(simulation, cache.target, isOurs(cache) ? OURS : undefined),
        }),
      ),
    );
}

function heldBy(cache: Cache): Map<string, string> {
  return new Map(
    cache.list().map((object) => [`${namespaceOf(object)}/${nameOf(object)}`, object.metadata.resourceVersion ?? '']),
  );
}

/** Workloads are watched by the label of our objects. */
function isOurs({ target }: Cache): boolean {
  return target.group !== 'kudo.dev' && target.group !== PLAN_RUNS.group;
}

/** What the API lists now: everything, or what carries the label `heritage` with that value. */
export function truthOf(
  { sandbox }: Simulation,
  { group, version, resource, namespace }: GroupVersionResource & { readonly namespace?: string | undefined },
  heritage?: string,
): Map<string, string> {
  return new Map(
    sandbox.api
      .list({ group, version, resource, namespace })
      .filter(({ metadata }) => heritage === undefined || metadata.labels?.heritage === heritage)
      .map((object) => [`${namespaceOf(object)}/${nameOf(object)}`, object.metadata.resourceVersion ?? '']),
  );
}

/** True when the copy equals what the API lists. */
export function isCurrent({ held, truth }: Copy): boolean {
  if (held.size !== truth.size) return false;
  for (const [key, revision] of truth) if (held.get(key) !== revision) return false;
  return true;
}
