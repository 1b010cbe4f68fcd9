import { TerminalError } from '@/lib/errors/errors';
import { nameOf } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { OPERATOR_LABEL } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';
import type { ClusterSession } from '../support/session';

/** Which Instances of the namespace an upgrade is about. */
export interface ChoiceFlags {
  readonly operator?: string;
  readonly selector?: string;
  readonly all?: boolean;
}

/**
 * The names of the Instances that arguments and flags choose, in the order of the arguments, else of their names. All of them belong to one
 * operator only when `--operator` says so; the caller checks what it needs.
 *
 * @throws TerminalError when nothing, or more than one way, chooses them, or none is found
 */
export async function chosenInstances(
  { api, namespace }: ClusterSession,
  names: readonly string[],
  { operator, selector, all }: ChoiceFlags,
): Promise<string[]> {
  const ways = [names.length > 0, (selector ?? '') !== '', all === true].filter(Boolean).length;
  if (ways !== 1) {
    throw new TerminalError('name the instances, or use --selector or --all', 'InvalidArguments');
  }
  if (names.length > 0) return [...new Set(names)];
  const labels = [
    ...(operator === undefined ? [] : [`${OPERATOR_LABEL}=${operator}`]),
    ...(selector === undefined ? [] : [selector]),
  ];
  const selectors = labels.length === 0 ? {} : { labelSelector: labels.join(',') };
  const { items } = await api.list({ ...INSTANCES, namespace }, selectors);
  // A child is upgraded with its parent.
  const found = (items as Instance[]).filter(({ metadata }) => !isChild(metadata)).map(nameOf);
  if (found.length === 0) throw new TerminalError(`no instances found in namespace ${namespace}`, 'NotFound');
  return found.sort();
}

function isChild({ ownerReferences }: Instance['metadata']): boolean {
  return (ownerReferences ?? []).some(({ kind }) => kind === 'Instance');
}
