'use client';

import { useState } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { useOwnedObjects } from '@/components/instance-view/use-owned-objects';
import { objectHref } from '@/components/resources/resource-path';
import { Chip } from '@/components/ui/chip';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { Notice } from '@/components/ui/notice';
import { SearchInput } from '@/components/ui/search-input';
import { SkeletonRows } from '@/components/ui/skeleton';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';
import { healthStatus } from '@/lib/kudo/view/health-status';
import { unreadableText } from '@/lib/kudo/view/unreadable';

/** Every object with the label of the Instance, with its health and the step that applied it. */
export function ResourcesTab() {
  const { data, isPending, error } = useOwnedObjects();
  const [query, setQuery] = useState('');
  const [onlyUnhealthy, setOnlyUnhealthy] = useState(false);
  const { namespace } = useInstanceView();
  const objects = data?.objects ?? [];
  const missing = unreadableText(data?.unreadable ?? [], namespace);
  const isUnread = missing !== '' && objects.length === 0;
  const unhealthy = objects.filter(({ health }) => health.state !== 'healthy').length;
  const shown = objects.filter(
    (object) =>
      (!onlyUnhealthy || object.health.state !== 'healthy') &&
      `${object.kind} ${object.name}`.toLowerCase().includes(query.toLowerCase()),
  );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchInput label="Find a kind or name" value={query} onChange={setQuery} />
        <Chip pressed={onlyUnhealthy} onClick={() => setOnlyUnhealthy(!onlyUnhealthy)}>
          {data === undefined || isUnread ? 'Not healthy' : `${unhealthy} not healthy`}
        </Chip>
        {data !== undefined && !isUnread && <span className="text-ink-2">{objects.length} owned</span>}
      </div>
      {missing !== '' && (
        <Notice
          tone="wait"
          title={objects.length === 0 ? 'The objects of this instance cannot be read' : 'Some objects cannot be read'}
          className="mb-3"
        >
          {missing} A cluster administrator can grant it, for example with the ClusterRole <code>view</code>.
        </Notice>
      )}
      <section className="card overflow-clip">
        {isPending && <SkeletonRows />}
        {error !== null && (
          <Notice tone="fail" title="The resources cannot be read">
            {error.message}
          </Notice>
        )}
        {data !== undefined && shown.length === 0 && <EmptyState title={emptyTitle(isUnread, objects.length)} />}
        {shown.length > 0 && <ResourceTable objects={shown} />}
      </section>
    </>
  );
}

function emptyTitle(isUnread: boolean, owned: number): string {
  if (isUnread) return 'No object to show';
  return owned === 0 ? 'This instance owns no objects' : 'No object matches the filter';
}

function ResourceTable({ objects }: { objects: readonly OwnedObject[] }) {
  const { namespace } = useInstanceView();
  return (
    <table className="table">
      <caption className="sr-only">Owned objects</caption>
      <thead>
        <tr>
          <th scope="col">Health</th>
          <th scope="col">Object</th>
          <th scope="col" className="max-md:hidden">
            Applied by
          </th>
          <th scope="col" className="num max-sm:hidden">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {objects.map((object) => (
          <tr key={object.uid}>
            <td>
              <StatusText status={healthStatus[object.health.state]} />
              {object.health.message !== '' && (
                <div className="ms-[23px] text-ink-2 text-xs">{object.health.message}</div>
              )}
            </td>
            <td>
              <Link href={objectHref(object, namespace, object.name)} className="link font-semibold">
                {object.name}
              </Link>
              <div className="text-ink-2 text-xs">
                {object.kind}
                {object.note !== '' && ` · ${object.note}`}
                {object.owner !== undefined &&
                  object.owner.kind !== 'Instance' &&
                  ` · owned by ${object.owner.kind} ${object.owner.name}`}
              </div>
            </td>
            <td className="max-md:hidden">
              {object.place.plan !== '' && (
                <code className="text-ink-2">
                  {object.place.plan} / {object.place.phase} / {object.place.step}
                </code>
              )}
            </td>
            <td className="num text-ink-2 max-sm:hidden">
              <TimeAgo at={object.createdAt} suffix="" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
