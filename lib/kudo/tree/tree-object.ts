import { arrayAt, isJsonObject, stringAt } from '@/lib/json/json';
import { pick } from '@/lib/json/pick';
import type { Health, HealthState } from '@/lib/kube/health/verdict';
import { unknown } from '@/lib/kube/health/verdict';
import type { KubeObject, OwnerReference } from '@/lib/kube/object';
import { factOf, healthOfOwned } from '../inventory/object-facts';
import {
  EXECUTION_UID_ANNOTATION,
  INSTANCE_LABEL,
  OPERATOR_LABEL,
  PHASE_ANNOTATION,
  PLAN_ANNOTATION,
  STEP_ANNOTATION,
} from '../names';

/** What the tree of an Instance shows of an object, as the event stream has it. */
export interface TreeObject extends KubeObject {
  readonly health: Health;
  /** One more fact, e.g. the size of a claim. */
  readonly fact: string;
  /** The names of `volumeClaimTemplates`; absent without any. */
  readonly claimTemplates?: readonly string[];
}

const METADATA = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'] as const;
const LABELS = [INSTANCE_LABEL, OPERATOR_LABEL];
const ANNOTATIONS = [PLAN_ANNOTATION, PHASE_ANNOTATION, STEP_ANNOTATION, EXECUTION_UID_ANNOTATION];

/** Some 400 bytes of a whole object: nothing of its content. */
export function treeObject(object: KubeObject): TreeObject {
  const { apiVersion, kind, metadata } = object;
  const claimTemplates = arrayAt(object.spec, 'volumeClaimTemplates').flatMap(
    (template) => stringAt(template, 'metadata', 'name') ?? [],
  );
  const { ownerReferences } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      ...pick(metadata, METADATA),
      ...chosen('labels', metadata.labels, LABELS),
      ...chosen('annotations', metadata.annotations, ANNOTATIONS),
      ...(ownerReferences === undefined ? {} : { ownerReferences: ownerReferences.map(slimOwner) }),
    },
    health: healthOfOwned(object),
    fact: factOf(object),
    ...(claimTemplates.length === 0 ? {} : { claimTemplates }),
  };
}

/** An object of a topic of the tree, checked. One of another server version may lack what the tree needs. */
export function asTreeObject(object: KubeObject): TreeObject {
  const { health, fact, claimTemplates } = object;
  return {
    ...object,
    health: isHealth(health) ? health : unknown(''),
    fact: typeof fact === 'string' ? fact : '',
    ...(Array.isArray(claimTemplates) ? { claimTemplates: claimTemplates.map(String) } : {}),
  };
}

const STATES: { readonly [state in HealthState]: true } = {
  healthy: true,
  progressing: true,
  failed: true,
  unknown: true,
};

function isHealth(value: unknown): value is Health {
  return (
    isJsonObject(value) &&
    typeof value.state === 'string' &&
    Object.hasOwn(STATES, value.state) &&
    typeof value.message === 'string'
  );
}

function slimOwner({ apiVersion, kind, name, uid, controller }: OwnerReference): OwnerReference {
  return { apiVersion, kind, name, uid, ...(controller === true ? { controller } : {}) };
}

function chosen<N extends string>(
  member: N,
  pairs: { readonly [key: string]: string } | undefined,
  names: readonly string[],
): { [key in N]?: { [key: string]: string } } {
  const kept = Object.entries(pairs ?? {}).filter(([name]) => names.includes(name));
  if (kept.length === 0) return {};
  const members: { [key in N]?: { [key: string]: string } } = {};
  members[member] = Object.fromEntries(kept);
  return members;
}
