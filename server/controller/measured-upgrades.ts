import { namespaceOf } from '@/lib/kube/object';
import { bySeverity } from '@/lib/kudo/upgrades/advisory-words';
import type { OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import type { OperatorUpgrade, UpgradePhase } from '@/lib/kudo/upgrades/operator-upgrade';
import type { MeasuredAdvisory, MeasuredUpgrades } from '@/server/metrics/upgrade-gauges';
import type { Watches } from './watches';

/** What metrics say of upgrades, from the watched copies. */
export function measuredUpgrades({
  upgrades,
  subscriptions,
}: Pick<Watches, 'upgrades' | 'subscriptions'>): MeasuredUpgrades {
  const phases = new Map<UpgradePhase, number>();
  for (const object of upgrades.list()) {
    const { phase = 'Pending' } = (object as OperatorUpgrade).status ?? {};
    phases.set(phase, (phases.get(phase) ?? 0) + 1);
  }
  return { phases, advisories: subscriptions.list().flatMap((object) => advisoriesOf(object as OperatorSubscription)) };
}

/** Of each version its worst advisory. */
function advisoriesOf(subscription: OperatorSubscription): MeasuredAdvisory[] {
  const { spec, status } = subscription;
  return (status?.installed ?? []).flatMap(({ advisories = [], instances }) => {
    const [worst] = [...advisories].sort(bySeverity);
    const place = { namespace: namespaceOf(subscription), operator: spec?.operator ?? '' };
    return worst === undefined ? [] : [{ ...place, severity: worst.severity, instances }];
  });
}
