import { type GroupVersionResource, nameOf, namespaceOf } from '@/lib/kube/object';
import { HERITAGE_LABEL } from '@/lib/kudo/names';
import { NOTICES_LABEL } from '@/lib/kudo/notices/notice';
import { PLAN_RUNS } from '@/lib/kudo/runs/plan-run';
import type { Cache } from '@/server/kube/cache';
import type { Copy } from '../invariants/fact';
import type { Simulation } from './simulation';

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
          truth: truthOf(simulation, cache.target, labelOf(cache)),
        }),
      ),
    );
}

function heldBy(cache: Cache): Map<string, string> {
  return new Map(
    cache.list().map((object) => [`${namespaceOf(object)}/${nameOf(object)}`, object.metadata.resourceVersion ?? '']),
  );
}

/** Workloads are watched by the label of what KUDO made, ConfigMaps and Secrets by the one of notices, our own kinds as a whole. */
function labelOf({ target: { group, resource } }: Cache): string | undefined {
  if (group === 'kudo.dev' || group === PLAN_RUNS.group) return undefined;
  return resource === 'configmaps' || resource === 'secrets' ? NOTICES_LABEL : HERITAGE_LABEL;
}

/** What the API lists now: everything, or what carries that label. */
export function truthOf(
  { sandbox }: Simulation,
  { group, version, resource, namespace }: GroupVersionResource & { readonly namespace?: string | undefined },
  label?: string,
): Map<string, string> {
  return new Map(
    sandbox.api
      .list({ group, version, resource, namespace })
      .filter(({ metadata }) => label === undefined || Object.hasOwn(metadata.labels ?? {}, label))
      .map((object) => [`${namespaceOf(object)}/${nameOf(object)}`, object.metadata.resourceVersion ?? '']),
  );
}

/** True when the copy equals what the API lists. */
export function isCurrent({ held, truth }: Copy): boolean {
  if (held.size !== truth.size) return false;
  for (const [key, revision] of truth) if (held.get(key) !== revision) return false;
  return true;
}
