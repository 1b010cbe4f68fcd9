'use client';

import { useInstanceView } from '@/components/instance-view/instance-context';
import { useOwnedObjects } from '@/components/instance-view/use-owned-objects';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { SkeletonRows } from '@/components/ui/skeleton';
import { StatusMark } from '@/components/ui/status';
import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';
import { healthStatus } from '@/lib/kudo/view/health-status';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { shortList } from '@/lib/kudo/view/short-list';
import { unreadableText } from '@/lib/kudo/view/unreadable';
import { formatTopic } from '@/lib/live/topic';

const SHOWN = 9;

/** Objects of the Instance, those that are not healthy first; workloads stand for their pods. */
export function ResourcesCard() {
  const { namespace, name } = useInstanceView();
  const { data, isPending, error } = useOwnedObjects();
  const objects = data?.objects ?? [];
  const shown = shortList(objects);
  const missing = unreadableText(data?.unreadable ?? [], namespace);
  const isUnread = missing !== '' && objects.length === 0;
  return (
    <Card
      title="Resources"
      action={
        <Link href={instancePath(namespace, name, 'resources')} className="link">
          {data === undefined || isUnread ? 'All' : `${objects.length} owned`}
        </Link>
      }
    >
      {isPending && error === null && <SkeletonRows rows={4} />}
      {error !== null && <p className="p-4 text-fail">{error.message}</p>}
      {data !== undefined && objects.length === 0 && (
        <p className="p-4 text-ink-2">
          {isUnread ? 'The objects of this instance cannot be read.' : 'This instance owns no objects.'}
        </p>
      )}
      {shown.length > 0 && (
        <ul className="grid gap-1.5 px-4 py-3">
          {shown.slice(0, SHOWN).map((object) => (
            <li key={object.uid} className="flex items-start gap-2">
              <StatusMark status={healthStatus[object.health.state]} className="mt-0.5" />
              <Link href={treeHref(namespace, name, object)} className="link min-w-0 max-w-[70%] shrink-0 break-words">
                <code>
                  {object.kind} {object.name}
                </code>
              </Link>
              <span className="ms-auto line-clamp-2 min-w-0 text-end text-ink-2" title={object.health.message}>
                {object.health.message || object.note}
              </span>
            </li>
          ))}
          {shown.length > SHOWN && (
            <li className="text-ink-2">
              <Link href={instancePath(namespace, name, 'resources')} className="link">
                and {shown.length - SHOWN} more
              </Link>
            </li>
          )}
        </ul>
      )}
      {missing !== '' && <p className="border-t px-4 py-2.5 text-wait">{missing}</p>}
    </Card>
  );
}

/** The object in the tree of the Instance, open in the panel. */
function treeHref(namespace: string, instance: string, { group, version, resource, name }: OwnedObject): string {
  const object = formatTopic({ group, version, resource, namespace, name });
  return `${instancePath(namespace, instance, 'resources')}?${new URLSearchParams({ object })}`;
}
