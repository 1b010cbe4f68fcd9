'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/skeleton';
import { arrayAt, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import { definitionDeletion } from '@/lib/kube/definition';
import type { Dependent } from '@/lib/kube/dependents';
import type { KubeObject } from '@/lib/kube/object';
import type { ObjectAddress } from './object-draft';
import { kubePath } from './resource-path';

/** What else a deletion deletes. */
export interface DeleteConsequences {
  /** Why the person has to wait, while that is not known yet. */
  readonly wait: string | undefined;
  readonly sentence: string | undefined;
  readonly isGrave: boolean;
  readonly objects: readonly Pick<Dependent, 'kind' | 'name' | 'namespace'>[];
}

/** Asks the cluster what is deleted with an object: its dependents; the objects of a CRD; all objects of a namespace. */
export function useConsequences(address: ObjectAddress, object: KubeObject): DeleteConsequences {
  const { data, error, isPending } = useQuery({
    queryKey: ['delete-consequences', object.metadata.uid],
    staleTime: 0,
    queryFn: ({ signal }) => readConsequences(address, object, signal),
  });
  if (isPending) return { wait: 'Finding out what else is deleted.', sentence: undefined, isGrave: false, objects: [] };
  if (error !== null || data === undefined) {
    const sentence = 'Dependent objects could not be read. More than this object may be deleted.';
    return { wait: undefined, sentence, isGrave: true, objects: [] };
  }
  return { wait: undefined, ...data };
}

export type KnownConsequences = Omit<DeleteConsequences, 'wait'>;

/** What else is deleted with one object. @throws RequestError */
export async function readConsequences(
  address: ObjectAddress,
  object: KubeObject,
  signal: AbortSignal,
): Promise<KnownConsequences> {
  if (object.kind === 'CustomResourceDefinition') return definitionConsequences(object, signal);
  if (object.kind === 'Namespace' && address.type.group === '') return namespaceConsequences(address.name, signal);
  const query = new URLSearchParams({ uid: object.metadata.uid ?? '' });
  if (address.namespace !== '') query.set('namespace', address.namespace);
  const { dependents } = await request<{ dependents: readonly Dependent[] }>(`/api/resources/dependents?${query}`, {
    signal,
  });
  const isInstance = object.kind === 'Instance' && address.type.group === 'kudo.dev';
  const cleanup = isInstance ? ' If its operator has a cleanup plan, that plan runs first.' : '';
  if (dependents.length === 0)
    return { sentence: `No other object is deleted.${cleanup}`, isGrave: false, objects: [] };
  const sentence = `Deleting this ${object.kind} also deletes ${counted(dependents.length, 'object')} that it owns.${cleanup}`;
  return { sentence, isGrave: false, objects: dependents };
}

async function definitionConsequences(definition: KubeObject, signal: AbortSignal): Promise<KnownConsequences> {
  const version = arrayAt(definition, 'spec', 'versions').find((each) => (each as JsonObject).served === true);
  const type = {
    group: stringAt(definition, 'spec', 'group') ?? '',
    version: stringAt(version, 'name') ?? '',
    resource: stringAt(definition, 'spec', 'names', 'plural') ?? '',
  };
  const list = await request<JsonObject>(`${kubePath(type)}?limit=50`, { signal });
  const items = arrayAt(list, 'items');
  const total = items.length + (numberAt(list, 'metadata', 'remainingItemCount') ?? 0);
  const kind = stringAt(definition, 'spec', 'names', 'kind') ?? '';
  if (total === 0) return { sentence: definitionDeletion(kind, total), isGrave: false, objects: [] };
  return {
    sentence: definitionDeletion(kind, total),
    isGrave: true,
    objects: items.map((item) => ({
      kind,
      name: stringAt(item, 'metadata', 'name') ?? '',
      namespace: stringAt(item, 'metadata', 'namespace') ?? '',
    })),
  };
}

async function namespaceConsequences(namespace: string, signal: AbortSignal): Promise<KnownConsequences> {
  const query = new URLSearchParams({ namespace });
  const { counts } = await request<{ counts: Record<string, number> }>(`/api/resources/counts?${query}`, { signal });
  const { kinds } = await request<{
    kinds: readonly { group: string; resource: string; kind: string; namespaced: boolean }[];
  }>('/api/resources', { signal });
  const inside = kinds
    .filter(({ namespaced, group, resource }) => namespaced && !(resource === 'events' && group !== ''))
    .map((kind) => ({
      kind: kind.kind,
      count: counts[kind.group === '' ? kind.resource : `${kind.resource}.${kind.group}`] ?? 0,
    }))
    .filter(({ count }) => count > 0);
  const total = inside.reduce((sum, { count }) => sum + count, 0);
  const objects = inside.map(({ kind, count }) => ({ kind, name: `× ${count}`, namespace: '' }));
  if (total === 0) return { sentence: 'The namespace is empty.', isGrave: false, objects };
  return {
    sentence: `Deleting this namespace also deletes ${counted(total, 'object')} in it.`,
    isGrave: true,
    objects,
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The sentence and the list, at most as tall as a few rows. */
export function Consequences({ consequences }: { consequences: DeleteConsequences }) {
  const { sentence, isGrave, objects } = consequences;
  if (sentence === undefined) return <Skeleton className="w-3/4" />;
  return (
    <div className="grid gap-2">
      {isGrave ? <Notice tone="fail" title={sentence} /> : <p>{sentence}</p>}
      {objects.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section tabIndex={0} aria-label="Also deleted" className="max-h-48 overflow-y-auto rounded-md border">
          <ul className="divide-y divide-line">
            {objects.map(({ kind, name, namespace }) => (
              <li key={`${kind} ${namespace} ${name}`} className="flex gap-2 px-3 py-1.5">
                <span className="text-ink-2">{kind}</span>
                <span className="min-w-0 truncate font-medium">{name}</span>
                {namespace !== '' && <span className="ms-auto text-ink-3">{namespace}</span>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
