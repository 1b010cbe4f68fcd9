import { keyOf } from './instance-store';
import type { BetweenTerms } from './leader-term';
import type { Shard } from './shard';

/** Ends the watches and checks of the Instances of a shard that this process begins or ends to act for: their next reconcile says what they need. */
export function forgetNeeds({ selfHeal, health, watches }: BetweenTerms, shard: Shard): void {
  const { objects, instances } = watches;
  if (shard.isOnly) {
    selfHeal.needNothing();
    objects.needNothing();
    health.setLeads(false);
    return;
  }
  for (const key of instances.list().map(keyOf)) {
    if (!shard.owns(key)) continue;
    selfHeal.forget(key);
    objects.needs(key, []);
    health.forget(key);
  }
}
