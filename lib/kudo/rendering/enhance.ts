import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { controllerOf, type KubeObject, nameOf, parseApiVersion } from '@/lib/kube/object';
import {
  EXECUTION_UID_ANNOTATION,
  HERITAGE_LABEL,
  HERITAGE_VALUE,
  INSTANCE_LABEL,
  KEEP_ANNOTATION,
  OPERATOR_LABEL,
  OPERATOR_VERSION_ANNOTATION,
  PHASE_ANNOTATION,
  PLAN_ANNOTATION,
  STEP_ANNOTATION,
} from '@/lib/kudo/names';
import { type Instance, KUDO_API_VERSION, type OperatorVersion } from '@/lib/kudo/types';
import { RenderError } from './render-error';

/** Whose and what for: everything that an object is marked with. */
export interface Enhancement {
  readonly operatorVersion: OperatorVersion;
  readonly instance: Instance;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  readonly uid: string;
}

/** `namespaced`, `cluster`, or undefined for a kind that the cluster does not serve. */
export type ScopeOf = (apiVersion: string, kind: string) => 'namespaced' | 'cluster' | undefined;

/**
 * The object with KUDO's labels and annotations, the Instance's namespace and owner (KUDO enhancer.go). The
 * argument is changed and returned. Cluster-scoped objects get neither namespace nor owner; an object that is to be kept gets no owner.
 * @throws RenderError `TaskEnhancementError` for an unknown kind and for an object that names another controller
 */
export function enhance(object: KubeObject, enhancement: Enhancement, scopeOf: ScopeOf): KubeObject {
  const { instance, operatorVersion } = enhancement;
  const labels = {
    [HERITAGE_LABEL]: HERITAGE_VALUE,
    [OPERATOR_LABEL]: operatorVersion.spec?.operator?.name ?? '',
    [INSTANCE_LABEL]: nameOf(instance),
  };
  mark(object as unknown as JsonObject, ['metadata', 'labels'], labels);
  mark(object as unknown as JsonObject, ['metadata', 'annotations'], {
    [PLAN_ANNOTATION]: enhancement.plan,
    [PHASE_ANNOTATION]: enhancement.phase,
    [STEP_ANNOTATION]: enhancement.step,
    [EXECUTION_UID_ANNOTATION]: enhancement.uid,
  });
  markPodTemplates(object, labels, { [OPERATOR_VERSION_ANNOTATION]: operatorVersion.spec?.version ?? '' });
  const scope = scopeOf(object.apiVersion, object.kind);
  if (scope === undefined) {
    throw new RenderError(
      `the cluster does not know the kind ${object.kind} in ${object.apiVersion}`,
      'TaskEnhancementError',
    );
  }
  if (scope === 'namespaced') adopt(object, instance);
  else delete object.metadata.namespace;
  return object;
}

function adopt(object: KubeObject, instance: Instance): void {
  const uid = instance.metadata.uid ?? '';
  const other = controllerOf(object);
  if (other !== undefined && other.uid !== uid) {
    throw new RenderError(
      `${object.kind} ${nameOf(object)} names ${other.kind} ${other.name} as its controller`,
      'TaskEnhancementError',
    );
  }
  object.metadata.namespace = instance.metadata.namespace ?? '';
  if (object.metadata.annotations?.[KEEP_ANNOTATION] === 'true') return;
  object.metadata.ownerReferences = [
    ...(object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid),
    {
      apiVersion: KUDO_API_VERSION,
      kind: 'Instance',
      name: nameOf(instance),
      uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ];
}

/** Where a kind keeps its pod template; `undefined` when it has none that KUDO knows. */
export function podTemplatePath(object: Pick<KubeObject, 'apiVersion' | 'kind'>): readonly string[] | undefined {
  const { group } = parseApiVersion(object.apiVersion);
  switch (object.kind) {
    case 'StatefulSet':
    case 'Deployment':
      return group === 'apps' ? ['spec', 'template'] : undefined;
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'DaemonSet':
      return ['spec', 'template'];
    case 'Job':
      return group === 'batch' ? ['spec', 'template'] : undefined;
    case 'CronJob':
      return group === 'batch' ? ['spec', 'jobTemplate', 'spec', 'template'] : undefined;
    default:
      return undefined;
  }
}

function markPodTemplates(object: KubeObject, labels: Marks, annotations: Marks): void {
  const path = podTemplatePath(object);
  if (path === undefined) return;
  const root = object as unknown as JsonObject;
  mark(root, [...path, 'metadata', 'labels'], labels);
  mark(root, [...path, 'metadata', 'annotations'], annotations);
  if (object.kind !== 'StatefulSet' || !isJsonObject(object.spec)) return;
  const claims = object.spec.volumeClaimTemplates;
  if (!Array.isArray(claims)) return;
  for (const claim of claims) if (isJsonObject(claim)) mark(claim, ['metadata', 'labels'], labels);
}

/** Sets an annotation in the pod template of a kind that has one; other kinds stay as they are. */
export function markPodTemplate(object: KubeObject, annotations: Marks): void {
  const path = podTemplatePath(object);
  if (path !== undefined) mark(object as unknown as JsonObject, [...path, 'metadata', 'annotations'], annotations);
}

type Marks = { readonly [key: string]: string };

/** Adds entries to the map at a path, making what is missing; a map with other than texts in it is left alone. */
function mark(root: JsonObject, path: readonly string[], marks: Marks): void {
  let place = root;
  for (const key of path) {
    const next = place[key];
    if (next !== undefined && next !== null && !isJsonObject(next)) return;
    const made = isJsonObject(next) ? next : {};
    place[key] = made;
    place = made;
  }
  if (Object.values(place).every((value) => typeof value === 'string')) Object.assign(place, marks);
}
