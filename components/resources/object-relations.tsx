'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { Skeleton } from '@/components/ui/skeleton';
import type { Dependent } from '@/lib/kube/dependents';
import type { KubeObject } from '@/lib/kube/object';
import { parseApiVersion } from '@/lib/kube/object';
import { objectHref } from './resource-path';
import { useKinds } from './use-kinds';

/** The owners of an object, as links where their kind is known. */
export function OwnerLinks({ object }: { object: KubeObject }) {
  const kinds = useKinds();
  return (
    <ul>
      {(object.metadata.ownerReferences ?? []).map((owner) => {
        const { group } = parseApiVersion(owner.apiVersion);
        const kind = kinds?.find((each) => each.group === group && each.kind === owner.kind);
        const text = `${owner.kind} ${owner.name}`;
        return (
          <li key={owner.uid}>
            {kind === undefined ? (
              text
            ) : (
              <Link
                className="link text-accent"
                href={objectHref(kind, kind.namespaced ? (object.metadata.namespace ?? '') : '', owner.name)}
              >
                {text}
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The objects that an object owns, asked when the page is opened. */
export function OwnedCard({ object }: { object: KubeObject }) {
  const { uid = '', namespace } = object.metadata;
  const query = new URLSearchParams({ uid, ...(namespace === undefined ? {} : { namespace }) });
  const { data } = useQuery({
    queryKey: ['dependents', uid],
    queryFn: ({ signal }) =>
      request<{ dependents: readonly Dependent[] }>(`/api/resources/dependents?${query}`, { signal }),
  });
  const dependents = data?.dependents;
  return (
    <Card title="Owns" note={dependents === undefined ? undefined : String(dependents.length)}>
      {dependents === undefined && (
        <div className="p-4">
          <Skeleton className="w-1/2" />
        </div>
      )}
      {dependents?.length === 0 && <p className="px-4 py-3 text-ink-3">It owns no object.</p>}
      <ul className="py-1 empty:hidden">
        {dependents?.map((dependent) => (
          <li key={dependent.uid} className="flex min-h-8 items-center gap-2 px-4 py-1">
            <span className="text-ink-2">{dependent.kind}</span>
            <Link
              className="link min-w-0 truncate font-medium"
              href={objectHref(dependent, dependent.namespace, dependent.name)}
              prefetch={false}
            >
              {dependent.name}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
