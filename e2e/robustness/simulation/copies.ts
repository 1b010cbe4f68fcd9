import { nameOf, namespaceOf } from '@/lib/kube/object';
import type { Cache } from '@/server/kube/cache';
import type { Copy } from '../invariants/fact';
import type { SimulatedWorld } from './world';

/** Watched by every controller with the label of our objects. */
const OURS = 'kudo';

/** What each living controller holds of the cluster beside what there is (I8). */
export function copiesOf(world: SimulatedWorld): Copy[] {
  return world.processes
    .filter(({ clock }) => !clock.isDead)
    .flatMap(({ name, controller }) =>
      controller.caches.map(
        (cache): Copy => ({
          fact: 'copy',
          of: `the cache of ${cache.target.resource} of ${name}`,
          held: heldBy(cache),
          truth: truthOf(world, cache),
        }),
      ),
    );
}

function heldBy(cache: Cache): Map<string, string> {
  return new Map(
    cache.list().map((object) => [`${namespaceOf(object)}/${nameOf(object)}`, object.metadata.resourceVersion ?? '']),
  );
}

function truthOf(world: SimulatedWorld, cache: Cache): Map<string, string> {
  const { group, version, resource } = cache.target;
  const objects = world.sandbox.api.list({ group, version, resource });
  const isOurs = group === 'kudo.dev' ? objects : objects.filter(({ metadata }) => metadata.labels?.heritage === OURS);
  return new Map(
    isOurs.map((object) => [`${namespaceOf(object)}/${nameOf(object)}`, object.metadata.resourceVersion ?? '']),
  );
}

/** True when every copy is what the API lists. */
export function isTrue({ held, truth }: Copy): boolean {
  if (held.size !== truth.size) return false;
  for (const [key, revision] of truth) if (held.get(key) !== revision) return false;
  return true;
}
