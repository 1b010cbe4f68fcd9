'use client';

import { useState } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Tag } from '@/components/ui/tag';
import { TimeAgo } from '@/components/ui/time-ago';
import { TopicState } from '@/components/ui/topic-state';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { type Revision, revisionsOf } from '@/lib/kube/workloads/revisions';
import type { ObjectAddress } from '../object-draft';
import { RevisionDialog } from './revision-dialog';

interface RolloutHistoryProps {
  readonly address: ObjectAddress;
  readonly object: KubeObject;
  /** The kind that keeps its revisions. */
  readonly type: GroupVersionResource;
}

/** The revisions of a workload, each compared with the current one on request. */
export function RolloutHistory({ address, object, type }: RolloutHistoryProps) {
  const view = useTopic({ ...type, namespace: address.namespace });
  const [compared, compare] = useState<number>();
  const revisions = revisionsOf(object, view.objects);
  const current = revisions.find(({ isCurrent }) => isCurrent);
  const chosen = revisions.find(({ number }) => number === compared);
  return (
    <Card title="Rollout history" note={`${revisions.length}`}>
      {view.status !== 'ready' && revisions.length === 0 ? (
        <TopicState view={view} what={type.resource} />
      ) : (
        <RevisionTable revisions={revisions} onCompare={compare} />
      )}
      {chosen !== undefined && current !== undefined && (
        <RevisionDialog
          address={address}
          object={object}
          revision={chosen}
          current={current}
          onClose={() => compare(undefined)}
        />
      )}
    </Card>
  );
}

function RevisionTable({
  revisions,
  onCompare,
}: {
  revisions: readonly Revision[];
  onCompare: (number: number) => void;
}) {
  const countsPods = revisions.some(({ pods }) => pods !== undefined);
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Revision</th>
          <th scope="col">Images</th>
          {countsPods && (
            <th scope="col" className="num max-sm:hidden">
              Pods
            </th>
          )}
          <th scope="col" className="num max-sm:hidden">
            Age
          </th>
          <th scope="col">
            <span className="sr-only">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {revisions.map((revision) => (
          <tr key={revision.name}>
            <td>
              {revision.number} {revision.isCurrent && <Tag tone="ok">current</Tag>}
            </td>
            <td className="[overflow-wrap:anywhere]">
              <code>{revision.images.join(', ')}</code>
              {revision.cause !== '' && <span className="block text-ink-2 text-xs">{revision.cause}</span>}
            </td>
            {countsPods && <td className="num max-sm:hidden">{revision.pods}</td>}
            <td className="num max-sm:hidden">
              <TimeAgo at={revision.createdAt} />
            </td>
            <td className="text-end">
              {!revision.isCurrent && (
                <Button size="small" onClick={() => onCompare(revision.number)}>
                  Compare <span className="sr-only">revision {revision.number}</span>
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
