import type { Clock } from '@/lib/clock/clock';
import { BravoError, messageOf, TransientError } from '@/lib/errors/errors';
import { type GroupVersionResource, type KubeObject, nameOf, namespaceOf, parseApiVersion } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { DEPLOY_PLAN, operatorVersionKey } from '@/lib/kudo/names';
import { evaluate } from '@/lib/kudo/own-kinds/expression';
import { type BrokenRule, judgeRules } from '@/lib/kudo/own-kinds/judge-rules';
import { differingValues, givenValues, mappedParameters } from '@/lib/kudo/own-kinds/mapped-parameters';
import { crdNameOf, OWN_KIND_LABEL } from '@/lib/kudo/own-kinds/names';
import { ownershipOf } from '@/lib/kudo/own-kinds/ownership';
import { pickVersion } from '@/lib/kudo/own-kinds/pick-version';
import type { ResourcePreview } from '@/lib/kudo/own-kinds/resource-preview';
import { ownKindOf } from '@/lib/kudo/own-kinds/stored-api';
import type { OwnKind, RunMapping } from '@/lib/kudo/own-kinds/types';
import { missingParameters } from '@/lib/kudo/parameters/parameters';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { previewInstall } from '@/server/catalogue/preview';
import { problemOf } from '@/server/http/problem';
import { previewPlan } from '@/server/instances/preview-plan';
import type { Api } from '@/server/kube/api';
import { CRDS } from '@/server/kube/install-crds';

/** What the preview works with: the authority of the person. */
export interface PreviewDeps {
  readonly api: Api;
  readonly clock: Pick<Clock, 'now'>;
}

const NOTHING: ResourcePreview = {
  causes: [],
  refused: undefined,
  waitsFor: undefined,
  noted: undefined,
  problem: undefined,
  instance: '',
  operatorVersion: '',
  plan: '',
  parameters: {},
  tasks: [],
  run: undefined,
};

/**
 * What the creation of a resource of an own kind would do: what the API server and the rules of the kind say, the parameters that it sets,
 * and the objects of the plan that starts. Everything is read and asked for with the rights of the person; nothing is written.
 *
 * @param target the resource's list, with its namespace
 */
export async function previewResource(
  deps: PreviewDeps,
  target: GroupVersionResource & { readonly namespace: string },
  object: KubeObject,
): Promise<ResourcePreview> {
  const sent = { ...object, metadata: { ...object.metadata, namespace: target.namespace } };
  const accepted = await dryRun(deps.api, target, sent);
  if (!('metadata' in accepted)) return { ...NOTHING, ...accepted };
  try {
    return await behind(deps, target, accepted);
  } catch (error) {
    if (!(error instanceof BravoError) || error instanceof TransientError) throw error;
    return { ...NOTHING, problem: messageOf(error) };
  }
}

/** The resource with its defaults, or why it is refused. */
async function dryRun(
  api: Api,
  target: GroupVersionResource,
  object: KubeObject,
): Promise<KubeObject | Pick<ResourcePreview, 'causes' | 'refused'>> {
  try {
    return await api.create(target, object, { dryRun: true, fieldManager: 'bravo-console' });
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined || error instanceof TransientError) throw error;
    const { status, message, causes } = problem;
    if (status !== 409) return { causes, refused: message };
    const taken = `${object.kind} ${nameOf(object)} already exists in namespace ${namespaceOf(object)}. Choose another name.`;
    return { causes: [{ field: 'metadata.name', message: taken }], refused: taken };
  }
}

/** What the controller would do for it. */
async function behind(
  { api, clock }: PreviewDeps,
  target: GroupVersionResource,
  resource: KubeObject,
): Promise<ResourcePreview> {
  const named = { kind: resource.kind, group: parseApiVersion(resource.apiVersion).group };
  const namespace = namespaceOf(resource);
  const installed = (await api.list({ ...OPERATOR_VERSIONS, namespace })).items as OperatorVersion[];
  const operator = await operatorOf(api, target, installed, named);
  if (operator === undefined) {
    return { ...NOTHING, problem: `No operator of namespace ${namespace} brings kind ${resource.kind}.` };
  }
  const picked = pickVersion({ resource, operator, kind: named, installed });
  if (!('operatorVersion' in picked)) return { ...NOTHING, waitsFor: picked };
  const { operatorVersion } = picked;
  const kind = ownKindOf(operatorVersion, named);
  if (kind === undefined) return NOTHING;
  const work = { resource, kind, operator, operatorVersion };
  return kind.run === undefined
    ? await behindInstance({ api, clock }, work)
    : await behindRun({ api, clock }, work, kind.run);
}

/** The CRD says which operator acts on its kind; who may not read it is shown the operator that brings the kind. */
async function operatorOf(
  api: Api,
  target: GroupVersionResource,
  installed: readonly OperatorVersion[],
  kind: { readonly kind: string; readonly group: string },
): Promise<string | undefined> {
  const name = crdNameOf({ plural: target.resource, group: target.group });
  const crd = await api.get({ ...CRDS, name }).catch((error: unknown) => {
    if (error instanceof TransientError) throw error;
    return undefined;
  });
  const bringing = installed.find((each) => ownKindOf(each, kind) !== undefined);
  return crd?.metadata.labels?.[OWN_KIND_LABEL] ?? bringing?.spec?.operator?.name;
}

interface PreviewWork {
  readonly resource: KubeObject;
  readonly kind: OwnKind;
  readonly operator: string;
  readonly operatorVersion: OperatorVersion;
}

async function behindInstance(
  deps: PreviewDeps,
  { resource, kind, operator, operatorVersion }: PreviewWork,
): Promise<ResourcePreview> {
  const [namespace, name] = [namespaceOf(resource), nameOf(resource)];
  const instance = (await deps.api.get({ ...INSTANCES, namespace, name })) as Instance | undefined;
  const rules = judgeRules(kind.rules, { self: resource, instance: null });
  const parameters = givenValues(
    mappedParameters(kind.instance?.parameters ?? {}, { self: resource, instance: null }, operatorVersion),
  );
  const known = { ...NOTHING, instance: name, operatorVersion: nameOf(operatorVersion), plan: DEPLOY_PLAN, parameters };
  const said = { waitsFor: rules.blocking, noted: rules.noted };
  if (instance !== undefined)
    return { ...known, ...said, waitsFor: await whyNotOurs(deps, { resource, instance, operator }) };
  const missing = missingParameters(operatorVersion, parameters);
  if (missing.length > 0) {
    const message = `The Instance needs a value of ${missing.join(', ')}, which the kind does not set.`;
    return { ...known, ...said, waitsFor: said.waitsFor ?? { reason: 'ParametersMissing', message } };
  }
  const wish = { namespace, instance: name, parameters };
  const { tasks, problems } = await previewInstall(operatorVersion, wish, deps);
  const [first] = problems;
  const refusal =
    first === undefined ? undefined : { reason: 'ChangeRefused', message: `${first.field}: ${first.message}` };
  return { ...known, ...said, waitsFor: said.waitsFor ?? refusal, tasks };
}

async function whyNotOurs(
  { api }: PreviewDeps,
  found: { readonly resource: KubeObject; readonly instance: Instance; readonly operator: string },
): Promise<BrokenRule | undefined> {
  const { namespace, name } = operatorVersionKey(found.instance);
  const own = (await api.get({ ...OPERATOR_VERSIONS, namespace, name })) as OperatorVersion | undefined;
  const ownership = ownershipOf({ ...found, operatorOfInstance: own?.spec?.operator?.name });
  return ownership.is === 'foreign' ? { reason: ownership.reason, message: ownership.message } : undefined;
}

async function behindRun(
  { api, clock }: PreviewDeps,
  { resource, kind, operatorVersion }: PreviewWork,
  mapping: RunMapping,
): Promise<ResourcePreview> {
  const namespace = namespaceOf(resource);
  const name = String(evaluate(mapping.instance, { self: resource }) ?? '');
  const known = { ...NOTHING, instance: name, operatorVersion: nameOf(operatorVersion), plan: mapping.plan };
  const instance =
    name === '' ? undefined : ((await api.get({ ...INSTANCES, namespace, name })) as Instance | undefined);
  if (instance === undefined) {
    const message =
      name === ''
        ? 'The resource names no Instance.'
        : `Instance ${name} does not exist in namespace ${namespace}. The run waits for it.`;
    return { ...known, waitsFor: { reason: 'InstanceMissing', message } };
  }
  const { blocking, noted } = judgeRules(kind.rules, { self: resource, instance, run: null });
  const key = operatorVersionKey(instance);
  const version = (await api.get({ ...OPERATOR_VERSIONS, ...key })) as OperatorVersion | undefined;
  if (version === undefined) return { ...known, waitsFor: blocking, noted };
  const mapped = mappedParameters(mapping.parameters, { self: resource, instance }, version);
  const start = { plan: mapping.plan, parameters: differingValues(instance, mapped, version) };
  const run = await previewPlan(api, { namespace, name }, start, clock);
  return { ...known, waitsFor: blocking, noted, parameters: givenValues(mapped), run };
}
