import { BravoError } from '@/lib/errors/errors';
import { labelValueProblem } from '@/lib/kube/label-syntax';
import { formatApiVersion, type KubeObject, type ResourceType } from '@/lib/kube/object';
import { INSTANCE_LABEL } from '@/lib/kudo/names';
import type { Api } from '@/server/kube/api';
import type { InstanceKey } from './read-instance';

/** Resources that only repeat or report other objects. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'events',
  'endpoints',
  'endpointslices',
  'controllerrevisions',
  'leases',
  'podtemplates',
]);

const AT_ONCE = 8;

/** Every namespaced object with the label of an Instance, with its kind, in no order; and the resources that could not be read. */
export interface LabelledObjects {
  readonly found: readonly { readonly object: KubeObject; readonly kind: ResourceType }[];
  /** Resources that could not be read, as {@link kubectlName} names them. */
  readonly unreadable: readonly string[];
}

/** Lists every kind once, by the label of the Instance. */
export async function listOwned(api: Api, key: InstanceKey, signal?: AbortSignal): Promise<LabelledObjects> {
  // A name of more than 63 characters is not a valid label value: no object has it, and the selector would be a bad request.
  if (labelValueProblem(key.name) !== undefined) return { found: [], unreadable: [] };
  const { resources } = await api.discover();
  const kinds = onePerKind(resources.filter(isListed));
  const found: { object: KubeObject; kind: ResourceType }[] = [];
  const unreadable: string[] = [];
  await inParallel(kinds, async (kind) => {
    try {
      const list = await api.list(
        { ...kind, namespace: key.namespace },
        { labelSelector: `${INSTANCE_LABEL}=${key.name}`, signal },
      );
      const apiVersion = formatApiVersion(kind.group, kind.version);
      for (const item of list.items) found.push({ object: { ...item, kind: kind.kind, apiVersion }, kind });
    } catch (error) {
      if (!(error instanceof BravoError)) throw error;
      if (error.reason !== 'NotFound' && error.reason !== 'MethodNotAllowed') unreadable.push(kubectlName(kind));
    }
  });
  return { found, unreadable: unreadable.sort() };
}

/** A resource as kubectl names it: `pods`, `statefulsets.apps`. */
export function kubectlName({ group, resource }: Pick<ResourceType, 'group' | 'resource'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function isListed(resource: ResourceType): boolean {
  return (
    resource.namespaced &&
    resource.verbs.includes('list') &&
    !LEFT_OUT.has(resource.resource) &&
    resource.group !== 'metrics.k8s.io' &&
    !(resource.group === 'kudo.dev' && resource.resource !== 'instances')
  );
}

/** A resource that is served in several versions is read once, in the first that discovery names. */
function onePerKind(resources: readonly ResourceType[]): ResourceType[] {
  const known = new Map<string, ResourceType>();
  for (const resource of resources) {
    const id = `${resource.group}/${resource.resource}`;
    if (!known.has(id)) known.set(id, resource);
  }
  return [...known.values()];
}

async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
