import { type JsonObject, stringAt } from '@/lib/json/json';
import { compareQuantities } from '@/lib/kube/quantity';
import { forbidden } from '../../errors/status';
import { objectOf, textOf } from '../base/access';
import type { StrategyContext } from '../base/strategy';

const STORAGE_CLASSES = { group: 'storage.k8s.io', resource: 'storageclasses' };

/**
 * A bound claim grows only when its class allows that (Kubernetes plugin/pkg/admission/storage/persistentvolume/resize). What an
 * unbound claim may change is a matter of its validation.
 * @throws StatusError 403
 */
export function admitGrowth(claim: JsonObject, old: JsonObject, context: StrategyContext): void {
  if (stringAt(old, 'status', 'phase') !== 'Bound') return;
  if (compareQuantities(requestOf(claim), requestOf(old)) <= 0) return;
  const className = stringAt(claim, 'spec', 'storageClassName') ?? '';
  const storageClass = className === '' ? undefined : context.get?.(STORAGE_CLASSES, className);
  if (storageClass?.allowVolumeExpansion === true) return;
  throw forbidden(
    { group: '', resource: 'persistentvolumeclaims' },
    textOf(objectOf(claim, 'metadata'), 'name'),
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  );
}

function requestOf(claim: JsonObject): string {
  return stringAt(claim, 'spec', 'resources', 'requests', 'storage') ?? '0';
}
