import { gunzipSync, gzipSync } from 'node:zlib';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import { isKubeObject, type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { contentDigest } from '@/lib/kudo/inventory/manifest-digest';
import { HERITAGE_LABEL } from '@/lib/kudo/names';
import { type Instance, KUDO_API_VERSION } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';
import type { Log } from '@/server/log/log';

/**
 * Type of the Secret `<instance>.bravo-objects`: the manifests that the last plans applied, gzipped JSON of
 * `{"objects": [manifest, …], "digests": [its digest in the inventory, …]}`. Versions before 0.2 wrote no digests.
 */
export const KEPT_SECRET_TYPE = 'bravo.kudo.dev/objects';
const DATA_KEY = 'objects.json.gz';
/** A Secret may hold 1 MiB. */
const MAX_PACKED_BYTES = 900 * 1024;
/** A Secret that another client wrote may unpack to anything. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/**
 * Replaces the manifests in the Secret, in one request. False when they are too large. It is a Secret because manifests may
 * contain passwords.
 */
export async function keepObjects(
  api: Api,
  instance: Instance,
  manifestsByDigest: ReadonlyMap<string, KubeObject>,
  log: Log,
): Promise<boolean> {
  const content = { objects: [...manifestsByDigest.values()], digests: [...manifestsByDigest.keys()] };
  const packed = gzipSync(JSON.stringify(content), { level: 1 });
  if (packed.length > MAX_PACKED_BYTES) {
    log.warn('inventory.too-large-to-keep', { instance: nameOf(instance), bytes: packed.length });
    return false;
  }
  const secret = secretOf(instance, packed.toString('base64'));
  await api.patch(targetOf(instance), 'apply', secret as unknown as JsonObject, { fieldManager: 'bravo', force: true });
  return true;
}

/** The manifests in the Secret by their digest; empty when the Secret does not exist or cannot be read. */
export async function loadKeptObjects(
  api: Api,
  instance: Pick<Instance, 'metadata'>,
  log: Log,
): Promise<ReadonlyMap<string, KubeObject>> {
  const secret = await api.get(targetOf(instance));
  const text = secret?.type === KEPT_SECRET_TYPE && isJsonObject(secret.data) ? secret.data[DATA_KEY] : undefined;
  if (typeof text !== 'string') return new Map();
  try {
    const bytes = gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: MAX_UNPACKED_BYTES });
    const value: JsonValue = JSON.parse(bytes.toString('utf8'));
    const digests = arrayAt(value, 'digests');
    const known = new Map<string, KubeObject>();
    for (const [index, object] of arrayAt(value, 'objects').entries()) {
      if (!isKubeObject(object)) continue;
      const digest = digests[index];
      known.set(typeof digest === 'string' ? digest : contentDigest(object), object);
    }
    return known;
  } catch (error) {
    log.warn('inventory.unreadable', { instance: nameOf(instance), problem: messageOf(error) });
    return new Map();
  }
}

function targetOf(instance: Pick<Instance, 'metadata'>): Target {
  return { group: '', version: 'v1', resource: 'secrets', namespace: namespaceOf(instance), name: nameFor(instance) };
}

function nameFor(instance: Pick<Instance, 'metadata'>): string {
  return `${nameOf(instance)}.bravo-objects`;
}

function secretOf(instance: Instance, data: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: nameFor(instance),
      namespace: namespaceOf(instance),
      labels: { [HERITAGE_LABEL]: 'bravo' },
      ownerReferences: [
        { apiVersion: KUDO_API_VERSION, kind: 'Instance', name: nameOf(instance), uid: instance.metadata.uid ?? '' },
      ],
    },
    type: KEPT_SECRET_TYPE,
    data: { [DATA_KEY]: data },
  };
}
