import { getAt, numberAt, setOwn, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { differingFields } from '@/lib/kudo/installation/differences';
import type { InstallationOptions } from '@/lib/kudo/installation/options';
import type { ClusterSession } from '../support/session';
import type { InstallationFinding } from './finding';
import { targetOf, titleOf } from './object-target';

const SHOWN_FIELDS = 4;
const PODS_OF = ['spec', 'template', 'spec', 'containers', 0] as const;

export interface ObjectCheck {
  readonly options: InstallationOptions;
  /** False when no flag names an image: then any image is right. */
  readonly hasImage: boolean;
}

/** Whether an object of the installation exists, has the fields that `init` applies, and, of a Deployment, is ready. */
export async function checkObject(
  session: ClusterSession,
  object: KubeObject,
  check: ObjectCheck,
): Promise<InstallationFinding[]> {
  const title = titleOf(object);
  const live = await session.api.get(targetOf(object));
  if (live === undefined)
    return [['errors', `${title} does not exist. Run bravo init with the same flags to create it.`]];
  const expected = check.hasImage ? object : withImageOf(object, live);
  const fields = differingFields(expected, live);
  if (fields.length > 0) {
    const more = fields.length > SHOWN_FIELDS ? ` and ${fields.length - SHOWN_FIELDS} more` : '';
    const named = `${fields.slice(0, SHOWN_FIELDS).join(', ')}${more}`;
    return [['warnings', `${title} differs in ${named}. Run bravo init with the same flags to update it.`]];
  }
  return [
    object.kind === 'Deployment' ? readiness(title, live) : ['installed', `${title} is as bravo init applies it`],
  ];
}

function readiness(title: string, live: KubeObject): InstallationFinding {
  const wanted = numberAt(live, 'spec', 'replicas') ?? 1;
  const ready = numberAt(live, 'status', 'readyReplicas') ?? 0;
  const state = `${title} (image ${stringAt(live, ...PODS_OF, 'image') ?? ''}) has ${ready} of ${wanted} pods ready`;
  if (wanted > 0 && ready >= wanted) return ['installed', state];
  const { namespace, name } = live.metadata;
  return [
    'warnings',
    `${state}. Look at kubectl -n ${namespace ?? ''} describe pods -l app=${live.metadata.labels?.app ?? name ?? ''}`,
  ];
}

/** The object with the image, and what else a flag says about it, that is installed. */
function withImageOf(object: KubeObject, live: KubeObject): KubeObject {
  if (object.kind !== 'Deployment') return object;
  const copy = structuredClone(object);
  const container = getAt(copy, ...PODS_OF);
  if (typeof container !== 'object' || container === null || Array.isArray(container)) return object;
  for (const field of ['image', 'imagePullPolicy']) setOwn(container, field, getAt(live, ...PODS_OF, field) ?? null);
  return copy;
}
