import { RequestError, request } from '@/components/live/request';
import { messageOf } from '@/lib/errors/errors';
import { type AccessQuestion, accessTo } from '@/lib/kube/access';
import type { KindSummary } from '@/lib/kube/kinds';
import { isKubeObject, type KubeObject, nameOf, parseApiVersion } from '@/lib/kube/object';
import { readYamlDocuments } from '@/lib/yaml/yaml';
import { kubePath, objectHref } from './resource-path';

/** What became of one document of the text. */
export interface CreateOutcome {
  /** `ConfigMap web`, or the document's place when it could not be read. */
  readonly title: string;
  readonly status: 'checked' | 'created' | 'refused';
  readonly message: string | undefined;
  readonly causes: readonly { readonly field: string; readonly message: string }[];
  /** The page of the created object. */
  readonly href: string | undefined;
}

/** The objects of a text, or why a document is none. Empty documents are left out. */
export function readObjects(text: string): (KubeObject | string)[] {
  return readYamlDocuments(text).flatMap((result, index): (KubeObject | string)[] => {
    if (!result.ok) return [`Document ${index + 1}: ${result.problems[0]?.message ?? 'the text is not valid YAML'}`];
    if (result.value === null) return [];
    if (isKubeObject(result.value)) return [result.value];
    return [`Document ${index + 1} is not a Kubernetes object: apiVersion, kind or metadata is missing.`];
  });
}

/** The rights that creating takes, one for each object of a known kind. */
export function rightsToCreate(
  objects: readonly (KubeObject | string)[],
  kinds: readonly KindSummary[],
  namespace: string,
): AccessQuestion[] {
  return objects.flatMap((object) => {
    const kind = typeof object === 'string' ? undefined : kindAmong(kinds, object);
    if (kind === undefined || typeof object === 'string') return [];
    return [accessTo('create', kind, kind.namespaced ? object.metadata.namespace || namespace : undefined)];
  });
}

function kindAmong(kinds: readonly KindSummary[], object: KubeObject): KindSummary | undefined {
  const { group } = parseApiVersion(object.apiVersion);
  return kinds.find((each) => each.group === group && each.kind === object.kind);
}

/**
 * Creates objects in their order, or only checks them (a dry run at the API, with every rule of the cluster). Creating
 * stops at the first refusal, so that nothing is built on what is missing.
 *
 * @param namespace for objects that name none
 */
export async function createObjects(
  objects: readonly (KubeObject | string)[],
  kinds: readonly KindSummary[],
  namespace: string,
  mode: 'check' | 'create',
): Promise<CreateOutcome[]> {
  const outcomes: CreateOutcome[] = [];
  for (const object of objects) {
    const outcome =
      typeof object === 'string' ? refused('Unreadable', object) : await createOne(object, kinds, namespace, mode);
    outcomes.push(outcome);
    if (mode === 'create' && outcome.status === 'refused') break;
  }
  return outcomes;
}

async function createOne(
  object: KubeObject,
  kinds: readonly KindSummary[],
  namespace: string,
  mode: 'check' | 'create',
): Promise<CreateOutcome> {
  const title = `${object.kind} ${nameOf(object) || (object.metadata.generateName ?? '')}`;
  const { group, version } = parseApiVersion(object.apiVersion);
  const kind = kindAmong(kinds, object);
  if (kind === undefined)
    return refused(title, `The cluster does not serve kind ${object.kind} of ${object.apiVersion}.`);
  const home = kind.namespaced ? object.metadata.namespace || namespace : undefined;
  const query = new URLSearchParams({ fieldManager: 'bravo-console', fieldValidation: 'Strict' });
  if (mode === 'check') query.set('dryRun', 'All');
  const type = { group, version, resource: kind.resource };
  try {
    const body = home === undefined ? object : { ...object, metadata: { ...object.metadata, namespace: home } };
    const made = await request<KubeObject>(`${kubePath({ ...type, namespace: home })}?${query}`, {
      method: 'POST',
      body,
    });
    if (mode === 'check') return { title, status: 'checked', message: undefined, causes: [], href: undefined };
    const href = objectHref(type, home ?? '', nameOf(made));
    return { title: `${object.kind} ${nameOf(made)}`, status: 'created', message: undefined, causes: [], href };
  } catch (error) {
    return refused(title, messageOf(error), error instanceof RequestError ? error.causes : []);
  }
}

function refused(title: string, message: string, causes: CreateOutcome['causes'] = []): CreateOutcome {
  return { title, status: 'refused', message, causes, href: undefined };
}
