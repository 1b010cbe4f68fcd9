'use client';

import type { ReactNode } from 'react';
import { KeyValues } from '@/components/ui/key-values';
import { StatusPill, StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { factOf, healthOfOwned, heldBy } from '@/lib/kudo/inventory/object-facts';
import { statusOfHealth } from '@/lib/kudo/tree/resource-node';
import { ObjectConditions } from '../object-conditions';
import { OwnerLinks } from '../object-relations';
import { AppliedFacts } from './applied-facts';

/** An object at a glance: how it is and why, which task applied it, its containers and conditions. */
export function PanelSummary({ object, isGone, facts }: { object: KubeObject; isGone: boolean; facts: ReactNode }) {
  const { metadata } = object;
  const health = healthOfOwned(object);
  const isLeaving = metadata.deletionTimestamp !== undefined;
  const holders = heldBy(object).heldBy?.join(', ');
  const reason = holders === undefined ? health.message : `${health.message}, held by ${holders}`;
  return (
    <div className="grid gap-4 p-4">
      {!isGone && (
        <div>
          <StatusPill status={statusOfHealth(health, isLeaving)} reason={reason} />
        </div>
      )}
      {facts ?? <AppliedFacts object={object} />}
      <KeyValues
        entries={[
          ['Kind', `${object.kind} (${object.apiVersion})`],
          ['Fact', factOf(object) || undefined],
          [
            'Belongs to',
            metadata.ownerReferences === undefined ? undefined : <OwnerLinks key="owners" object={object} />,
          ],
          ['Created', <TimeAgo key="created" at={metadata.creationTimestamp} />],
          ['Node', stringAt(object.spec, 'nodeName')],
          ['Pod IP', object.kind === 'Pod' ? stringAt(object.status, 'podIP') : undefined],
        ]}
      />
      {object.kind === 'Pod' && <Containers pod={object} />}
      <ObjectConditions object={object} />
    </div>
  );
}

function Containers({ pod }: { pod: KubeObject }) {
  const statuses = [...arrayAt(pod.status, 'initContainerStatuses'), ...arrayAt(pod.status, 'containerStatuses')];
  if (statuses.length === 0) return null;
  return (
    <section aria-label="Containers">
      <h3 className="mb-1 font-semibold text-sm">Containers</h3>
      <ul className="divide-y divide-line rounded-md border">
        {statuses.map((status) => {
          const restarts = numberAt(status, 'restartCount') ?? 0;
          const waiting = stringAt(status, 'state', 'waiting', 'reason');
          const ended = stringAt(status, 'state', 'terminated', 'reason');
          const isReady = waiting === undefined && ended === undefined;
          return (
            <li key={stringAt(status, 'name')} className="grid gap-0.5 px-3 py-2">
              <span className="flex flex-wrap items-center gap-x-3">
                <span className="font-medium">{stringAt(status, 'name')}</span>
                <StatusText
                  status={isReady ? 'healthy' : ended === 'Completed' ? 'COMPLETE' : 'waiting'}
                  word={waiting ?? ended ?? 'Running'}
                />
                {restarts > 0 && (
                  <span className="text-ink-2">{restarts === 1 ? '1 restart' : `${restarts} restarts`}</span>
                )}
              </span>
              <code className="break-all text-ink-2">{stringAt(status, 'image')}</code>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
