import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { OperatorVersion } from '@/lib/kudo/types';
import { byBestVersion } from '@/lib/kudo/versions';
import { VERSION_ANNOTATION } from './names';
import { ownKindOf } from './stored-api';

/** The version for a new Instance of a resource, or why there is none. */
export type PickedVersion =
  | { readonly operatorVersion: OperatorVersion }
  | { readonly reason: 'OperatorNotInstalled' | 'OperatorVersionNotInstalled'; readonly message: string };

export interface PickInput {
  readonly resource: KubeObject;
  readonly operator: string;
  readonly kind: { readonly kind: string; readonly group: string };
  /** All versions of the namespace. */
  readonly installed: readonly OperatorVersion[];
}

/** The version that the annotation of the resource names, else the newest one of the operator that brings the kind. */
export function pickVersion({ resource, operator, kind, installed }: PickInput): PickedVersion {
  const namespace = resource.metadata.namespace ?? '';
  const own = installed.filter((each) => each.spec?.operator?.name === operator);
  const named = resource.metadata.annotations?.[VERSION_ANNOTATION];
  if (named !== undefined) {
    const found = own.find((each) => nameOf(each) === named);
    if (found !== undefined) return { operatorVersion: found };
    const known = own.map(nameOf).sort().join(', ');
    const message = `OperatorVersion ${named}, which the annotation ${VERSION_ANNOTATION} names, is not installed in namespace ${namespace}${known === '' ? '' : `; installed are ${known}`}.`;
    return { reason: 'OperatorVersionNotInstalled', message };
  }
  const [best] = own
    .filter((each) => ownKindOf(each, kind) !== undefined)
    .map((object) => ({
      object,
      appVersion: object.spec?.appVersion ?? '',
      operatorVersion: object.spec?.version ?? '',
    }))
    .sort(byBestVersion);
  if (best !== undefined) return { operatorVersion: best.object };
  const message = `Operator ${operator} is not installed in namespace ${namespace} in a version that brings kind ${kind.kind}. Install it with \`bravo install ${operator} --skip-instance -n ${namespace}\`.`;
  return { reason: 'OperatorNotInstalled', message };
}
