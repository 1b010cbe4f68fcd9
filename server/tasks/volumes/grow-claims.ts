import { TerminalError } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { requestedStorage } from '@/lib/kudo/volume-growth/claim-templates';
import { asksForLess, claimsWithSize, type SizedClaim } from '@/lib/kudo/volume-growth/growing-claims';
import { kubeErrorOf } from '@/server/kube/errors';
import type { TaskContext } from '../context';
import { explainRefusal } from '../refusal';

/** The event reason of volumes that cannot get the wanted size. */
export const CANNOT_GROW = 'VolumesCannotGrow';
const CLAIMS = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };

type GrowContext = Pick<TaskContext, 'api'>;

/** The bound claims of the pods that a StatefulSet wants, as they are now. */
export async function liveClaims(set: KubeObject, { api }: GrowContext): Promise<SizedClaim[]> {
  const { items } = await api.list({ ...CLAIMS, namespace: namespaceOf(set) });
  return claimsWithSize(items, set);
}

/**
 * Asks for the wanted size of every claim of the StatefulSet that asks for less. A dry run of all of them comes first, so that
 * one that is refused leaves the others as they are.
 * @throws TerminalError `VolumesCannotGrow` for a claim whose class does not let it grow, and whatever the API says
 */
export async function growClaims(set: KubeObject, context: GrowContext): Promise<void> {
  const small = (await liveClaims(set, context)).filter(asksForLess);
  for (const one of small) await requestSize(one, context, { dryRun: true });
  for (const one of small) await requestSize(one, context);
}

/** Nothing but the size is written: the claim does not become an object of the Instance, and is not deleted with it. */
export async function requestSize(
  { claim, size }: SizedClaim,
  { api }: GrowContext,
  options: { readonly dryRun?: true } = {},
): Promise<void> {
  const target = { ...CLAIMS, namespace: namespaceOf(claim), name: nameOf(claim) };
  const { uid = '', resourceVersion = '' } = claim.metadata;
  const spec = { resources: { requests: { storage: size } } };
  try {
    await api.patch(target, 'merge', { metadata: { uid, resourceVersion }, spec }, options);
  } catch (error) {
    throw explainGrowthRefusal(error, claim, size);
  }
}

/** The error of a claim that may not grow, with claim, class and what to do. */
export function explainGrowthRefusal(error: unknown, claim: KubeObject, size: string): unknown {
  const answer = kubeErrorOf(error);
  // Kubernetes plugin/pkg/admission/storage/persistentvolume/resize.
  const isForbidden = answer?.code === 403 && answer.message.includes('must support resize');
  if (!isForbidden) return explainRefusal(error, claim);
  const from = requestedStorage(claim);
  const className = stringAt(claim.spec, 'storageClassName') ?? '';
  const why =
    className === ''
      ? 'no StorageClass made its volume'
      : `StorageClass ${className} does not allow it or did not make its volume`;
  const what =
    className === ''
      ? ''
      : `If the driver of the class can grow volumes, set allowVolumeExpansion: true on StorageClass ${className} and run the plan again. `;
  return new TerminalError(
    `PersistentVolumeClaim ${nameOf(claim)} cannot grow from ${from} to ${size}: ${why}. ${what}Otherwise set the size back to ${from}.`,
    CANNOT_GROW,
    { cause: answer },
  );
}
