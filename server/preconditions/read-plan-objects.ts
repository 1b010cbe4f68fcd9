import { namespaceOf } from '@/lib/kube/object';
import { objectsToRead, type PlanStart } from '@/lib/kudo/plan-metadata/judge-preconditions';
import {
  type NamedObject,
  namedObjectKey,
  type ObjectRead,
  type ObjectReads,
} from '@/lib/kudo/plan-metadata/plan-objects';
import type { Api } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import type { KindIndex } from '@/server/kube/kinds';

/** The client with whose rights objects are read. */
export interface ObjectReader {
  readonly api: Pick<Api, 'get'>;
  readonly kinds: Pick<KindIndex, 'resolve'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The objects that the preconditions of plans look at, each read once. One that may not be read is a problem, and one of a kind that
 * the cluster does not serve does not exist.
 * @throws TransientError when the API does not answer
 */
export async function readPlanObjects(reader: ObjectReader, starts: readonly PlanStart[]): Promise<ObjectReads> {
  const wanted = new Map<string, { readonly object: NamedObject; readonly namespace: string }>();
  for (const start of starts) {
    const namespace = namespaceOf(start.instance);
    for (const object of objectsToRead(start)) wanted.set(namedObjectKey(object), { object, namespace });
  }
  const reads = await Promise.all(
    [...wanted].map(async ([key, { object, namespace }]) => [key, await readOne(reader, object, namespace)] as const),
  );
  return new Map(reads);
}

async function readOne(
  { api, kinds, signal }: ObjectReader,
  { apiVersion, kind, realName }: NamedObject,
  namespace: string,
): Promise<ObjectRead> {
  const type = await kinds.resolve(apiVersion, kind);
  if (type === undefined) return undefined;
  const { group, version, resource, namespaced } = type;
  const target = { group, version, resource, name: realName, ...(namespaced ? { namespace } : {}) };
  try {
    return await api.get(target, signal === undefined ? {} : { signal });
  } catch (error) {
    const code = codeOf(error);
    if (code === 401 || code === 403) return { problem: `${kind} ${realName} cannot be read (${code})` };
    throw error;
  }
}
