import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { Instance } from '@/lib/kudo/types';
import type { BrokenRule } from './judge-rules';
import { ADOPT_ANNOTATION, OWNED_BY_ANNOTATION, ownerText } from './names';

/** What an Instance of the name of a resource is to it. */
export type InstanceOwnership = { readonly is: 'ours' | 'adoptable' } | ({ readonly is: 'foreign' } & BrokenRule);

export interface OwnershipInput {
  readonly resource: KubeObject;
  readonly instance: Instance;
  /** The operator that brings the kind. */
  readonly operator: string;
  /** The operator of the Instance; undefined when its version is not installed. */
  readonly operatorOfInstance: string | undefined;
}

/** An Instance that nobody made for the resource becomes its own only when the resource says so, and when it is of the same operator. */
export function ownershipOf({ resource, instance, operator, operatorOfInstance }: OwnershipInput): InstanceOwnership {
  const name = nameOf(instance);
  const owner = instance.metadata.annotations?.[OWNED_BY_ANNOTATION];
  if (owner === ownerText(resource)) return { is: 'ours' };
  if (owner !== undefined) {
    return {
      is: 'foreign',
      reason: 'InstanceOwned',
      message: `Instance ${name} belongs to ${owner}. Give the resource another name.`,
    };
  }
  const parent = instance.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (parent !== undefined) {
    const message = `Instance ${name} belongs to ${parent.kind} ${parent.name}. Give the resource another name.`;
    return { is: 'foreign', reason: 'InstanceOwned', message };
  }
  if (operatorOfInstance !== operator) {
    const of =
      operatorOfInstance === undefined ? 'has no operator that is installed' : `is of operator ${operatorOfInstance}`;
    const message = `Instance ${name} exists and ${of}, not ${operator}. Give the resource another name.`;
    return { is: 'foreign', reason: 'InstanceExists', message };
  }
  if (resource.metadata.annotations?.[ADOPT_ANNOTATION] === 'true') return { is: 'adoptable' };
  const command = `kubectl annotate -n ${resource.metadata.namespace ?? ''} ${resource.kind.toLowerCase()} ${name} ${ADOPT_ANNOTATION}=true`;
  const message = `Instance ${name} exists and was not made for this resource. To hand it over, with its parameters set by this resource, run \`${command}\`.`;
  return { is: 'foreign', reason: 'InstanceExists', message };
}
