import { gunzipSync, gzipSync } from 'node:zlib';
import { isJsonObject } from '@/lib/json/json';
import { isKubeObject, type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { SecretInputs } from '@/lib/kudo/plan/run-inputs';
import { type Instance, KUDO_API_VERSION, type OperatorVersion } from '@/lib/kudo/types';
import type { Api, Target } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import type { TaskObjects } from '@/server/tasks/context';

/** Type and label of the Secret that holds a run's memory. */
export const RUN_SECRET_TYPE = 'bravo.kudo.dev/run';
/** Its name is the Instance's, with this behind it. */
export const RUN_SECRET_SUFFIX = '.bravo-run';
const DATA_KEY = 'run.json.gz';
/** A Secret may hold 1 MiB, and base64 is not counted. */
const MAX_PACKED_BYTES = 900 * 1024;
/** Against a Secret that somebody else wrote. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/** What the Secret of a run holds, as gzipped JSON. */
export interface RunSnapshot {
  /** Of the execution. */
  readonly uid: string;
  /** The key of the run's random bytes, base64; absent in what versions before 0.2 wrote. */
  readonly key?: string;
  readonly inputs?: SecretInputs;
  /** Absent, with `rendered`, when both together are too large for a Secret. */
  readonly operatorVersion?: OperatorVersion;
  readonly rendered?: { readonly [key: string]: TaskObjects };
}

/** The snapshot packed for the Secret; undefined when it is too large. */
export function packRun(snapshot: RunSnapshot): string | undefined {
  // At once, not in a thread: a few hundred KiB take milliseconds, and a run stays the same every time for one seed.
  const packed = gzipSync(JSON.stringify(snapshot), { level: 1 });
  return packed.length > MAX_PACKED_BYTES ? undefined : packed.toString('base64');
}

/**
 * What a Secret holds; undefined for one that is not a run's.
 * @throws for one that cannot be unpacked
 */
export function unpackRun(secret: KubeObject | undefined): RunSnapshot | undefined {
  if (secret?.type !== RUN_SECRET_TYPE) return undefined;
  const data = isJsonObject(secret.data) ? secret.data[DATA_KEY] : undefined;
  if (typeof data !== 'string') return undefined;
  const bytes = gunzipSync(Buffer.from(data, 'base64'), { maxOutputLength: MAX_UNPACKED_BYTES });
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  if (!isJsonObject(value) || typeof value.uid !== 'string') return undefined;
  if (value.inputs !== undefined && !isJsonObject(value.inputs)) return undefined;
  if (value.key !== undefined && typeof value.key !== 'string') return undefined;
  if (value.operatorVersion !== undefined && !isKubeObject(value.operatorVersion)) return undefined;
  return value as unknown as RunSnapshot;
}

/** The uid of the run whose memory a Secret is; undefined for any other Secret, and for one that cannot be read. */
export function runOfMemory(secret: KubeObject): string | undefined {
  try {
    return unpackRun(secret)?.uid;
  } catch {
    return undefined;
  }
}

/** The Secret of an Instance's run. */
export function runSecretTarget(instance: Instance): Target & { readonly name: string } {
  return { ...SECRETS, namespace: namespaceOf(instance), name: secretName(instance) };
}

const SECRETS = { group: '', version: 'v1', resource: 'secrets' } as const;

function secretName(instance: Instance): string {
  return `${nameOf(instance)}${RUN_SECRET_SUFFIX}`;
}

/** The Secret with a packed snapshot, owned by the Instance. */
export function runSecret(instance: Instance, packed: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secretName(instance),
      namespace: namespaceOf(instance),
      ownerReferences: [
        { apiVersion: KUDO_API_VERSION, kind: 'Instance', name: nameOf(instance), uid: instance.metadata.uid ?? '' },
      ],
    },
    type: RUN_SECRET_TYPE,
    data: { [DATA_KEY]: packed },
  };
}

/** The Secret that was created, or the one that has its name already. */
export async function createUnlessTaken(
  api: Api,
  target: Target,
  secret: KubeObject,
): Promise<
  | { readonly created: KubeObject; readonly found?: undefined }
  | { readonly created?: undefined; readonly found: KubeObject }
> {
  try {
    return { created: await api.create(target, secret) };
  } catch (error) {
    if (codeOf(error) !== 409) throw error;
    const found = await api.get(target);
    if (found === undefined) throw error;
    return { found };
  }
}

/** The Secret with the resourceVersion of the one that it takes the place of. */
export function guarded(secret: KubeObject, { metadata: { resourceVersion = '' } }: KubeObject): KubeObject {
  return { ...secret, metadata: { ...secret.metadata, resourceVersion } };
}
