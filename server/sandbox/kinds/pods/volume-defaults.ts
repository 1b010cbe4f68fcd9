import type { JsonObject } from '@/lib/json/json';
import { ensureObject, fill, objectOf, objectsOf } from '../base/access';
import { defaultClaimSpec } from '../base/claim-defaults';

const FILE_MODE = 0o644;

/** Defaults of one volume (Kubernetes pkg/apis/core/v1 SetDefaults_Volume and its sources). */
export function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {};
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const found = objectOf(volume, source);
    if (found !== undefined) fill(found, { defaultMode: FILE_MODE });
  }
  defaultDownward(objectOf(volume, 'downwardAPI'));
  for (const source of objectsOf(objectOf(volume, 'projected'), 'sources')) {
    const token = objectOf(source, 'serviceAccountToken');
    if (token !== undefined) fill(token, { expirationSeconds: 3600 });
    defaultDownward(objectOf(source, 'downwardAPI'));
  }
  const hostPath = objectOf(volume, 'hostPath');
  if (hostPath !== undefined) fill(hostPath, { type: '' });
  const template = objectOf(objectOf(volume, 'ephemeral'), 'volumeClaimTemplate');
  if (template !== undefined) defaultClaimSpec(ensureObject(template, 'spec'));
}

function defaultDownward(source: JsonObject | undefined): void {
  for (const item of objectsOf(source, 'items')) {
    const field = objectOf(item, 'fieldRef');
    if (field !== undefined) fill(field, { apiVersion: 'v1' });
    const resource = objectOf(item, 'resourceFieldRef');
    if (resource !== undefined) fill(resource, { divisor: '0' });
  }
}
