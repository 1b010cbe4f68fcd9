import { isJsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { isReadableFrom, READABLE_FROM_ANNOTATION } from '@/lib/kudo/live-values/named-read';
import { INSTANCE_LABEL, operatorVersionKey } from '@/lib/kudo/names';
import { type ReferenceParameter, referenceOf, refersTo } from '@/lib/kudo/references/reference-parameter';
import type { ReferenceTarget } from '@/lib/kudo/references/reference-target';
import {
  externalReference,
  instanceReference,
  type ReferenceValue,
  type ReferenceValues,
  type ReferredInstance,
  referenceProblem,
} from '@/lib/kudo/references/reference-value';
import { PLAN_RUNS, type PlanRun, RUN_INSTANCE_LABEL } from '@/lib/kudo/runs/plan-run';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import type { Api, Target } from '@/server/kube/api';
import { codeOf } from '@/server/kube/errors';
import type { LiveReader } from './read-live-objects';

/** The client with whose permissions is read, and the Instance whose parameters name something. */
export interface ReferenceReader extends Omit<LiveReader, 'api' | 'kinds'> {
  readonly api: Pick<Api, 'get' | 'list'>;
}

export interface ReadReferences {
  readonly refs: ReferenceValues;
  /** What is waited for, a sentence each; empty when everything is there. */
  readonly waits: readonly string[];
}

/**
 * What parameters of type `instance` name, as templates see it.
 * @throws TransientError when the API does not answer
 */
export async function readReferences(
  parameters: readonly ReferenceParameter[],
  reader: ReferenceReader,
): Promise<ReadReferences> {
  const found = await Promise.all(parameters.map((parameter) => readOne(parameter, reader)));
  const refs: { [parameter: string]: ReferenceValue | null } = {};
  const waits: string[] = [];
  for (const [index, { parameter }] of parameters.entries()) {
    const result = found[index];
    if (typeof result === 'string') waits.push(result);
    else refs[parameter] = result ?? null;
  }
  return { refs, waits };
}

/** What is named, undefined for a parameter without a value, or what is waited for. */
async function readOne(
  parameter: ReferenceParameter,
  reader: ReferenceReader,
): Promise<ReferenceValue | string | undefined> {
  const target = referenceOf(parameter, reader);
  if (target === undefined) return undefined;
  const words = wordsOf(target, parameter, reader.instance);
  try {
    return target.kind === 'Instance'
      ? await readInstanceReference(parameter, { target, words }, reader)
      : await readExternal({ target, words }, reader);
  } catch (error) {
    const code = codeOf(error);
    if (code === 401 || code === 403) return `${words} cannot be read (${code})`;
    throw error;
  }
}

interface Named {
  readonly target: ReferenceTarget;
  readonly words: string;
}

async function readInstanceReference(
  parameter: ReferenceParameter,
  { target, words }: Named,
  { api, instance: home }: ReferenceReader,
): Promise<ReferenceValue | string> {
  const { namespace, name } = target;
  const instance = (await api.get({ ...INSTANCES, namespace, name })) as Instance | undefined;
  if (instance === undefined) return `waits for ${words}, which does not exist`;
  if (!isReadableFrom(instance, home.metadata.namespace ?? '')) {
    const allow = `annotation ${READABLE_FROM_ANNOTATION}: ${home.metadata.namespace}`;
    return `waits until ${words} may be read; whoever may edit it can allow that with the ${allow}`;
  }
  const operatorVersion = (await api.get({ ...OPERATOR_VERSIONS, ...operatorVersionKey(instance) })) as
    | OperatorVersion
    | undefined;
  const bare: ReferredInstance = { instance, operatorVersion, services: [], runs: [] };
  const problem = referenceProblem(parameter, bare);
  if (problem !== undefined) {
    const back = operatorVersion === undefined ? undefined : refersTo({ instance, operatorVersion }, placeOf(home));
    const circle =
      back === undefined
        ? ''
        : `; it refers to this Instance by its parameter ${back}, so that each may wait for the other`;
    return `waits for ${words}, which ${problem}${circle}`;
  }
  const [services, runs] = await Promise.all([
    listOf(api, { group: '', version: 'v1', resource: 'services', namespace }, `${INSTANCE_LABEL}=${name}`),
    listOf(api, { ...PLAN_RUNS, namespace }, `${RUN_INSTANCE_LABEL}=${name}`),
  ]);
  return instanceReference({ ...bare, services, runs: runs as readonly PlanRun[] });
}

/** Empty for a kind that the cluster does not serve. */
async function listOf(api: Pick<Api, 'list'>, target: Target, labelSelector: string): Promise<readonly KubeObject[]> {
  try {
    return (await api.list(target, { labelSelector })).items;
  } catch (error) {
    if (codeOf(error) === 404) return [];
    throw error;
  }
}

async function readExternal({ target, words }: Named, { api }: ReferenceReader): Promise<ReferenceValue | string> {
  const { kind, namespace, name } = target;
  const resource = kind === 'Secret' ? 'secrets' : 'configmaps';
  const object = await api.get({ group: '', version: 'v1', resource, namespace, name });
  if (object === undefined) return `waits for ${words}, which does not exist`;
  const data = isJsonObject(object.data) ? object.data : {};
  if (JSON.stringify(data).length > limits.liveObjectChars) return `${words} is too large to be read`;
  const texts = Object.entries(data).flatMap(([key, value]) => {
    if (typeof value !== 'string') return [];
    return [[key, kind === 'Secret' ? Buffer.from(value, 'base64').toString('utf8') : value] as const];
  });
  return externalReference({ ...object, kind }, Object.fromEntries(texts));
}

/** `Instance zk (parameter ZK)`. */
function wordsOf(
  { kind, namespace, name }: ReferenceTarget,
  { parameter }: ReferenceParameter,
  home: Instance,
): string {
  const where = namespace === home.metadata.namespace ? '' : ` in namespace ${namespace}`;
  return `${kind} ${name}${where} (parameter ${parameter})`;
}

function placeOf({ metadata }: Instance): { namespace: string; name: string } {
  return { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
}
