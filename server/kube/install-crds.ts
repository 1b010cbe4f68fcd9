import { type Clock, sleep } from '@/lib/clock/clock';
import { TransientError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { applyMergePatch } from '@/lib/kube/patch/merge-patch';
import { installedCrds } from '@/lib/kudo/installation/manifests';
import { INSTANCES_CRD } from '@/lib/kudo/installation/names';
import type { Api, Target } from './api';

export const CRDS: Target = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const ESTABLISHED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;

export interface InstallCrdsOptions {
  readonly signal?: AbortSignal;
  /** More annotations of the CRD of Instances. */
  readonly annotations?: { readonly [name: string]: string };
}

/**
 * Creates or updates the CRDs of KUDO's three kinds and of our own, and waits until they are served. Existing Instances stay valid,
 * because the schemas are supersets of KUDO's. Returns the names of the CRDs.
 *
 * @throws the API's error, or TransientError when a CRD is not established in time
 */
export async function installCrds(api: Api, clock: Clock, options: InstallCrdsOptions = {}): Promise<string[]> {
  const { signal, annotations = {} } = options;
  const crds = installedCrds().map((crd) => (nameOf(crd) === INSTANCES_CRD ? annotated(crd, annotations) : crd));
  for (const crd of crds) await putCrd(api, crd, signal);
  for (const crd of crds) await awaitEstablished(api, nameOf(crd), { clock, signal });
  await api.discover({ refresh: true });
  return crds.map(nameOf);
}

function annotated(crd: KubeObject, more: { readonly [name: string]: string }): KubeObject {
  return { ...crd, metadata: { ...crd.metadata, annotations: { ...crd.metadata.annotations, ...more } } };
}

/**
 * Creates the CRD, or merges our schema and mark into the existing one, which keeps the fields of others. One that has both is left alone:
 * a server checks all rules of a schema again.
 */
async function putCrd(api: Api, crd: KubeObject, signal?: AbortSignal): Promise<void> {
  const { annotations = {} } = crd.metadata;
  const target = { ...CRDS, name: nameOf(crd) };
  const found = await api.get(target, signal === undefined ? {} : { signal });
  if (found === undefined) {
    await api.create(CRDS, crd, { signal });
    return;
  }
  const patch = { metadata: { annotations }, spec: crd.spec as JsonValue };
  if (jsonEqual(applyMergePatch(found as JsonObject, patch), found)) return;
  await api.patch(target, 'merge', patch, { signal });
}

interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits until a CRD is served.
 *
 * @throws TransientError after half a minute
 */
export async function awaitEstablished(api: Api, name: string, { clock, signal }: Patience): Promise<void> {
  const deadlineMs = clock.monotonic() + ESTABLISHED_WITHIN_MS;
  for (;;) {
    const found = await api.get({ ...CRDS, name }, signal === undefined ? {} : { signal });
    if (found !== undefined && isEstablished(found)) return;
    if (clock.monotonic() > deadlineMs) {
      throw new TransientError(
        `The CRD ${name} was not established within ${ESTABLISHED_WITHIN_MS / 1000} s.`,
        'CrdNotEstablished',
      );
    }
    await sleep(clock, LOOK_EVERY_MS, signal);
  }
}

function isEstablished(crd: KubeObject): boolean {
  return arrayAt(crd, 'status', 'conditions').some(
    (condition) => isJsonObject(condition) && condition.type === 'Established' && condition.status === 'True',
  );
}
