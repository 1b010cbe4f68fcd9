'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import { messageOf } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { type DefinitionView, definitionDeletion, definitionUse } from '@/lib/kube/definition';
import type { GroupVersionResource } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { kubePath } from '../resource-path';

/** Names and labels are enough: the objects themselves may be large. */
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';
/** Instances are found by the labels of so many objects. */
const MOST_READ = 500;
const MOST_INSTANCES = 20;

/** Who uses a kind: how many objects there are, which operator brings it, which Instances applied some of them. */
export function DefinitionUse({
  view: { kind },
  type,
  operator,
}: {
  view: DefinitionView;
  type: GroupVersionResource;
  operator: string | undefined;
}) {
  const { data, error } = useQuery({
    queryKey: ['definition-use', type],
    staleTime: 10_000,
    queryFn: async ({ signal }) =>
      definitionUse(
        await request<JsonObject>(`${kubePath(type)}?limit=${MOST_READ}`, { accept: METADATA, signal }),
        INSTANCE_LABEL,
      ),
  });
  return (
    <Card title="Who uses it" padded>
      <div className="grid gap-2">
        {error !== null && <p className="text-ink-2">The number of objects is not known. {messageOf(error)}</p>}
        {data === undefined && error === null && <Skeleton className="w-2/3" />}
        {data !== undefined && <p>{definitionDeletion(kind, data.total)}</p>}
        {operator !== undefined && (
          <p>
            Operator{' '}
            <Link className="link text-accent" href={`/operators/${encodeURIComponent(operator)}`}>
              {operator}
            </Link>{' '}
            brings this kind: each {kind} has an Instance.
          </p>
        )}
        {data !== undefined && data.instances.length > 0 && (
          <div>
            <p className="text-ink-2">
              {data.total > MOST_READ
                ? `Instances that applied some of the first ${MOST_READ} objects:`
                : 'Instances that applied some of them:'}
            </p>
            <ul>
              {data.instances.slice(0, MOST_INSTANCES).map(({ namespace, name }) => (
                <li key={`${namespace}/${name}`}>
                  <Link className="link text-accent" href={instancePath(namespace, name)} prefetch={false}>
                    {name}
                  </Link>{' '}
                  <span className="text-ink-2">in {namespace}</span>
                </li>
              ))}
            </ul>
            {data.instances.length > MOST_INSTANCES && (
              <p className="text-ink-2">{data.instances.length - MOST_INSTANCES} more</p>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}
