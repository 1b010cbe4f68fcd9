'use client';

import { useQuery } from '@tanstack/react-query';
import { Notice } from '@/components/ui/notice';
import { runBulk } from '@/lib/kube/bulk/run-bulk';
import { ownerBadge, toolOwners } from '@/lib/kube/ownership/tool-owner';
import { managingInstance } from '@/lib/kudo/inventory/managing-instance';
import { limits } from '@/lib/limits/limits';
import { type BulkTargets, readMetadata } from './bulk-target';

/** How many of the objects each manager has. */
interface BulkOwners {
  readonly byOwner: ReadonlyMap<string, number>;
  readonly managed: number;
}

/** Reads what manages the first objects of a selection: tools outside, and Instances whose plans applied them. */
async function readOwners(targets: BulkTargets, signal: AbortSignal): Promise<BulkOwners> {
  const byOwner = new Map<string, number>();
  let managed = 0;
  await runBulk(targets.slice(0, limits.bulk.examined), {
    atOnce: limits.bulk.atOnce,
    signal,
    onOutcome: () => undefined,
    act: async (target) => {
      const { metadata } = await readMetadata(target, signal);
      const { group, version } = target.type;
      const apiVersion = group === '' ? version : `${group}/${version}`;
      const object = { apiVersion, kind: target.kind, metadata };
      const instance = managingInstance(object);
      const owners = [
        ...toolOwners(object).map(ownerBadge),
        ...(instance === undefined ? [] : [`Instance ${instance.namespace}/${instance.name}`.replace(' /', ' ')]),
      ];
      if (owners.length > 0) managed++;
      for (const owner of owners) byOwner.set(owner, (byOwner.get(owner) ?? 0) + 1);
      return undefined;
    },
  });
  return { byOwner, managed };
}

const NAMED = 6;

/** Warns when tools or Instances manage some of the objects: they may revert what is about to be done. */
export function BulkOwnersNotice({ targets, effect }: { targets: BulkTargets; effect: string }) {
  const { data } = useQuery({
    queryKey: ['bulk-owners', targets.slice(0, limits.bulk.examined).map(({ uid }) => uid)],
    queryFn: ({ signal }) => readOwners(targets, signal),
  });
  if (data === undefined || data.managed === 0) return null;
  const owners = [...data.byOwner].sort((a, b) => b[1] - a[1]);
  const examined = Math.min(targets.length, limits.bulk.examined);
  const among = targets.length > examined ? `the first ${examined}` : String(examined);
  const what = targets.length === 1 ? 'The object is' : `${data.managed} of ${among} objects are`;
  return (
    <Notice tone="wait" title={`${what} managed by others, which may ${effect}`}>
      <ul>
        {owners.slice(0, NAMED).map(([owner, count]) => (
          <li key={owner}>
            {owner} ({count})
          </li>
        ))}
        {owners.length > NAMED && <li>and {owners.length - NAMED} more</li>}
      </ul>
      To keep the change, make it where the objects come from.
    </Notice>
  );
}
