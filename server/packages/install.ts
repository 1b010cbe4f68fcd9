import { systemClock } from '@/lib/clock/clock';
import { ConflictError, TerminalError } from '@/lib/errors/errors';
import { jsonEqual } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { parseVersion } from '@/lib/kudo/versions';
import { systemRandom } from '@/lib/random/random';
import type { Api } from '@/server/kube/api';
import { serverVersion } from '@/server/kube/server-version';
import { namespaceObject } from './namespace-manifest';
import { installOwnCrds, tryOwnCrds } from './own-crds';
import type { OperatorObjects, PreparedInstall } from './prepare-install';

/** One object that an install created or found. */
export interface InstallStep {
  /**
   * `differs`: an object of that name exists with other content; it was not changed. `refused`: the API server refused it, and the install goes
   * on; `message` says what is missing then.
   */
  readonly did: 'created' | 'updated' | 'found' | 'differs' | 'refused';
  readonly kind:
    | 'Namespace'
    | 'CustomResourceDefinition'
    | 'ClusterRole'
    | 'ClusterRoleBinding'
    | 'Operator'
    | 'OperatorVersion'
    | 'Instance';
  readonly namespace: string;
  readonly name: string;
  readonly message?: string;
}

export interface InstallOptions {
  readonly prepared: PreparedInstall;
  readonly skipInstance?: boolean | undefined;
  readonly createNamespace?: boolean | undefined;
  /** When the Instance exists: an error (as KUDO), or keep it and succeed. */
  readonly existingInstance?: 'refuse' | 'keep' | undefined;
  /** When the namespace to create exists: keep it, or an error (as KUDO). */
  readonly existingNamespace?: 'refuse' | 'keep' | undefined;
  /** The error for an object that the API refused; the API's own by default. */
  readonly explain?: ((object: InstallStep['kind'], place: string, error: unknown) => unknown) | undefined;
  /** Called before an Instance is made, and not for one that exists. */
  readonly beforeInstance?: (() => Promise<void>) | undefined;
  readonly onStep?: ((step: InstallStep) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * The CRDs of the kinds that the operator brings: `install` (when absent), with `adopt` also over CRDs of others, `try`: one that is refused
   * is reported, and the install goes on; `skip`: they are left alone.
   */
  readonly ownCrds?: 'install' | 'adopt' | 'try' | 'skip' | undefined;
  /** Names of CRDs of others that `install` replaces. */
  readonly adoptCrds?: readonly string[] | undefined;
}

/** Options of each object. */
type StepOptions = Pick<InstallOptions, 'onStep' | 'signal' | 'explain' | 'ownCrds' | 'adoptCrds'>;

export interface InstallResult {
  readonly operatorVersion: OperatorVersion;
  /** Undefined with `skipInstance`. */
  readonly instance: Instance | undefined;
}

/**
 * Creates what a package needs (KUDO pkg/kudoctl/resources/install): CRDs of its own kinds → Operator → dependencies →
 * OperatorVersion → Instance. Existing objects are not changed, so that an interrupted install can be repeated.
 *
 * @throws TerminalError for missing parameters, a Kubernetes version that is too old, an existing Instance, and objects that the API refuses
 */
export async function install(api: Api, options: InstallOptions): Promise<InstallResult> {
  const { prepared, skipInstance = false } = options;
  const { namespace = '' } = prepared.operatorVersion.metadata;
  if (!skipInstance) checkPrepared(prepared);
  const tooOld = await kubernetesProblem(api, prepared.operator.spec?.kubernetesVersion, options.signal);
  if (tooOld !== undefined) throw new TerminalError(tooOld, 'KubernetesTooOld');
  if (options.createNamespace === true) await makeNamespace(api, options);
  const exists = skipInstance ? undefined : await existing(api, INSTANCES, prepared.instance, options.signal);
  if (exists !== undefined && options.existingInstance !== 'keep') {
    const name = prepared.instance.metadata.name ?? '';
    const message = `cannot install instance '${name}' because an instance of that name already exists in namespace ${namespace}`;
    throw new TerminalError(message, 'AlreadyExists');
  }
  await installVersions(api, prepared, options);
  if (skipInstance) return { operatorVersion: prepared.operatorVersion, instance: undefined };
  if (exists === undefined) await options.beforeInstance?.();
  const instance = exists ?? (await ensure(api, INSTANCES, prepared.instance, options));
  return { operatorVersion: prepared.operatorVersion, instance: instance as Instance };
}

/** Creates the CRDs, Operator and OperatorVersion of a package and of its dependencies, dependencies first. An upgrade uses it too. */
export async function installVersions(
  api: Api,
  prepared: Pick<PreparedInstall, 'operator' | 'operatorVersion' | 'dependencies' | 'crds'>,
  options: StepOptions = {},
): Promise<void> {
  const { ownCrds = 'install', adoptCrds = [], onStep, signal } = options;
  const wish = { adopt: ownCrds === 'adopt' || adoptCrds, onStep, signal };
  if (ownCrds === 'try') await tryOwnCrds(api, prepared.crds, wish);
  else if (ownCrds !== 'skip') await installOwnCrds(api, prepared.crds, wish);
  await ensure(api, OPERATORS, prepared.operator, options);
  for (const dependency of prepared.dependencies) await installPair(api, dependency, options);
  await ensure(api, OPERATOR_VERSIONS, prepared.operatorVersion, options);
}

async function installPair(api: Api, objects: OperatorObjects, options: StepOptions): Promise<void> {
  await ensure(api, OPERATORS, objects.operator, options);
  await ensure(api, OPERATOR_VERSIONS, objects.operatorVersion, options);
}

function checkPrepared({ missing, decision }: PreparedInstall): void {
  if (missing.length > 0) {
    throw new TerminalError(
      `missing required parameters during installation: ${missing.join(',')}`,
      'MissingParameters',
    );
  }
  if (decision.outcome === 'denied')
    throw new TerminalError(decision.message ?? 'The admission decision refuses the Instance.', 'Denied');
}

/**
 * Why the operator cannot be used in this version of Kubernetes, major and minor; undefined when it can. A server without a readable version
 * passes.
 *
 * @throws TerminalError when the operator's version is none
 */
export async function kubernetesProblem(
  api: Api,
  wanted: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (wanted === undefined || wanted === '') return undefined;
  const least = parseVersion(wanted);
  if (least === undefined) {
    throw new TerminalError(
      `unable to parse operators kubernetes version: "${wanted}" is not a version`,
      'PackageInvalid',
    );
  }
  const served = await serverVersion(api, signal);
  const found = served === undefined ? undefined : parseVersion(served);
  if (served === undefined || found === undefined) return undefined;
  if (found.major === least.major ? found.minor >= least.minor : found.major > least.major) return undefined;
  return `expected kubernetes version of ${least.major}.${least.minor}.${least.patch} is not supported with version: ${served.replace(/^v/, '')}`;
}

async function makeNamespace(api: Api, options: InstallOptions): Promise<void> {
  const resource = { group: '', version: 'v1', resource: 'namespaces' };
  const namespace = namespaceObject(options.prepared, { clock: systemClock, random: systemRandom });
  if (options.existingNamespace !== 'refuse') {
    await ensure(api, resource, namespace, options);
    return;
  }
  await api.create(resource, namespace, { signal: options.signal });
  options.onStep?.({ did: 'created', kind: 'Namespace', namespace: '', name: namespace.metadata.name ?? '' });
}

/** The object from the cluster, created if it does not exist. */
async function ensure(
  api: Api,
  resource: GroupVersionResource,
  object: KubeObject,
  options: StepOptions,
): Promise<KubeObject> {
  const { namespace = '', name = '' } = object.metadata;
  const report = (did: InstallStep['did']): void =>
    options.onStep?.({ did, kind: object.kind as InstallStep['kind'], namespace, name });
  const found = await existing(api, resource, object, options.signal);
  if (found !== undefined) {
    report(hasSameSpec(found, object) ? 'found' : 'differs');
    return found;
  }
  try {
    const created = await api.create(targetOf(resource, object), object, { signal: options.signal });
    report('created');
    return created;
  } catch (error) {
    const place = namespace === '' ? name : `${namespace}/${name}`;
    if (!(error instanceof ConflictError))
      throw options.explain?.(object.kind as InstallStep['kind'], place, error) ?? error;
    const other = await existing(api, resource, object, options.signal);
    if (other === undefined) throw error;
    report(hasSameSpec(other, object) ? 'found' : 'differs');
    return other;
  }
}

function existing(
  api: Api,
  resource: GroupVersionResource,
  object: KubeObject,
  signal: AbortSignal | undefined,
): Promise<KubeObject | undefined> {
  const target = { ...targetOf(resource, object), name: object.metadata.name };
  return api.get(target, signal === undefined ? {} : { signal });
}

function targetOf(resource: GroupVersionResource, object: KubeObject): GroupVersionResource & { namespace?: string } {
  const { namespace } = object.metadata;
  return namespace === undefined ? resource : { ...resource, namespace };
}

/** Compares the specs; a missing or null member equals an empty one, as Go writes it. */
function hasSameSpec(live: KubeObject, wanted: KubeObject): boolean {
  return jsonEqual(withoutEmpty(live.spec ?? {}), withoutEmpty(wanted.spec ?? {}));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .map(([key, member]) => [key, withoutEmpty(member)] as const)
    .filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(members);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
