import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { ensureObject, fill, objectOf, textsOf } from '../base/access';
import type { KindRules } from '../base/kind-rules';
import { checkFixed } from '../core/validate';
import { admitGrowth } from './admit-growth';
import { validateClaim, validateClaimUpdate, validateVolume, validateVolumeUpdate } from './validate';

function protect(object: JsonObject, finalizer: string): void {
  const metadata = ensureObject(object, 'metadata');
  const finalizers = textsOf(metadata, 'finalizers');
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}

/** `dataSource` and `dataSourceRef` name the same thing; a missing group is written as null. */
function mirrorDataSource(spec: JsonObject): void {
  const source = objectOf(spec, 'dataSource');
  const reference = objectOf(spec, 'dataSourceRef');
  if (source !== undefined && reference === undefined) spec.dataSourceRef = { apiGroup: null, ...source };
  if (reference !== undefined && source === undefined && reference.namespace === undefined) {
    spec.dataSource = { apiGroup: null, ...reference };
  }
  for (const key of ['dataSource', 'dataSourceRef']) fill(objectOf(spec, key), { apiGroup: null });
}

/** The rules of volumes, claims and their classes. */
export const storageRules: { readonly [kind: string]: KindRules } = {
  '/PersistentVolumeClaim': {
    validate: validateClaim,
    validateUpdate: validateClaimUpdate,
    defaults(claim) {
      fill(ensureObject(claim, 'spec'), { volumeMode: 'Filesystem' });
      fill(ensureObject(claim, 'status'), { phase: 'Pending' });
    },
    prepareCreate(claim) {
      protect(claim, 'kubernetes.io/pvc-protection');
      mirrorDataSource(ensureObject(claim, 'spec'));
      claim.status = { phase: 'Pending' };
    },
    prepareUpdate(claim, old, context) {
      mirrorDataSource(ensureObject(claim, 'spec'));
      if (context.subresource === undefined) admitGrowth(claim, old, context);
    },
  },
  '/PersistentVolume': {
    validate: validateVolume,
    validateUpdate: validateVolumeUpdate,
    defaults(volume) {
      const spec = ensureObject(volume, 'spec');
      fill(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
      fill(objectOf(spec, 'hostPath'), { type: '' });
      fill(ensureObject(volume, 'status'), { phase: 'Pending' });
    },
    prepareCreate(volume) {
      protect(volume, 'kubernetes.io/pv-protection');
      volume.status = { phase: 'Pending' };
    },
    prepareUpdate(volume, old, { subresource }) {
      if (subresource === 'status' && jsonEqual(volume.status, {})) volume.status = old.status ?? {};
    },
  },
  'storage.k8s.io/StorageClass': {
    defaults: (object) => fill(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
    validateUpdate: (object, old) =>
      checkFixed(object, old, 'parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'),
  },
};
