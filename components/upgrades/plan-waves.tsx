'use client';

import { useTopicInScope } from '@/components/shell/use-topic-within';
import { useNow } from '@/components/ui/use-now';
import { parseTime } from '@/lib/clock/clock';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { isUpgradeOver, type OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import { topics } from '@/lib/live/topic';
import { UpgradeCard } from './upgrade-card';

/** So long what is over is shown below the list. */
const SHOWN_MS = 60 * 60_000;
const MOST = 3;

/** Plans that run on many Instances in waves, and those that ended within the hour; the newest first. */
export function PlanWaves() {
  const { objects } = useTopicInScope(topics.operatorUpgradeRows);
  const nowMs = useNow(60_000);
  const isShown = (upgrade: OperatorUpgrade) =>
    upgrade.spec?.plan !== undefined &&
    (!isUpgradeOver(upgrade) || nowMs - (parseTime(upgrade.status?.finishedAt) ?? 0) < SHOWN_MS);
  const shown = (objects as readonly OperatorUpgrade[]).filter(isShown).sort(newestFirst).slice(0, MOST);
  if (shown.length === 0) return null;
  return (
    <section aria-label="Plans in waves" className="mt-4 grid gap-4">
      {shown.map((upgrade) => (
        <UpgradeCard key={`${namespaceOf(upgrade)}/${nameOf(upgrade)}`} upgrade={upgrade} />
      ))}
    </section>
  );
}

function newestFirst(a: OperatorUpgrade, b: OperatorUpgrade): number {
  return (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '');
}
