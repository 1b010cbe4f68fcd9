import { messageOf } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonValue, jsonEqual, numberAt, objectAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { bravoCrds, kudoCrds } from '@/lib/kudo/crds/crds';
import { CONTROLLER_NAME } from '@/lib/kudo/installation/manifests';
import { LEASE_NAME } from '@/server/controller/lease';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '@/server/webhook/registration';
import type { ClusterSession } from '../support/session';
import { runningController } from './controller-lease';
import { accountProblems, type InstallationTarget, namespaceProblems } from './preconditions';

/** What is installed, one sentence for each part, in the order of the parts. */
export interface InstallationCheck {
  readonly installed: readonly string[];
  /** Plans run all the same. */
  readonly warnings: readonly string[];
  /** Plans do not run. */
  readonly errors: readonly string[];
}

type Finding = readonly [kind: keyof InstallationCheck, sentence: string];

/** The parts that plans need: the CRDs, and unless only they are asked for, the controller, its lease and its webhook. */
export async function verifyInstallation(
  session: ClusterSession,
  target: InstallationTarget & { readonly crdOnly: boolean },
): Promise<InstallationCheck> {
  const checks: [string, () => Promise<Finding[]>][] = [...kudoCrds(), ...bravoCrds()].map((crd) => [
    `CRD ${nameOf(crd)}`,
    () => checkCrd(session, crd),
  ]);
  if (!target.crdOnly) {
    checks.push(
      [`StatefulSet ${target.namespace}/${CONTROLLER_NAME}`, () => checkStatefulSet(session, target)],
      [`Lease ${LEASE_NAME}`, () => checkLease(session, target)],
      [`MutatingWebhookConfiguration ${CONFIGURATION_NAME}`, () => checkWebhook(session)],
    );
  }
  const findings: Finding[] = [];
  for (const [part, check] of checks) {
    findings.push(
      ...(await check().catch((error: unknown): Finding[] => [
        ['errors', `${part} cannot be read: ${messageOf(error)}`],
      ])),
    );
  }
  const of = (kind: keyof InstallationCheck) =>
    findings.filter(([each]) => each === kind).map(([, sentence]) => sentence);
  return { installed: of('installed'), warnings: of('warnings'), errors: of('errors') };
}

async function checkCrd({ api }: ClusterSession, expected: KubeObject): Promise<Finding[]> {
  const name = nameOf(expected);
  const place = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions', name };
  const version = stringAt(expected, 'spec', 'versions', 0, 'name') ?? '';
  const crd = await api.get(place);
  // Plans run without a definition of ours; what it records is missing then.
  const kind = stringAt(expected, 'spec', 'group') === 'kudo.dev' ? 'errors' : 'warnings';
  if (crd === undefined) return [[kind, `CRD ${name} is not installed`]];
  if (!isServed(crd, version)) {
    return [[kind, `CRD ${name} does not serve ${version}. Run bravo init to update it.`]];
  }
  if (!jsonEqual(schemaOf(crd, version), schemaOf(expected, version))) {
    return [['warnings', `CRD ${name} has the schema of another version. Run bravo init to update it.`]];
  }
  return [['installed', `CRD ${name} is installed and serves ${version}`]];
}

function isServed(crd: unknown, name: string): boolean {
  const served = arrayAt(crd, 'spec', 'versions').some(
    (version) => isJsonObject(version) && version.name === name && version.served === true,
  );
  const established = arrayAt(crd, 'status', 'conditions').some(
    (condition) => isJsonObject(condition) && condition.type === 'Established' && condition.status === 'True',
  );
  return served && established;
}

function schemaOf(crd: KubeObject, name: string): JsonValue {
  const versions = arrayAt(crd, 'spec', 'versions');
  const version = versions.find((each) => isJsonObject(each) && each.name === name);
  return withoutEmptyMembers(objectAt(version, 'schema'));
}

/** The API server drops empty members of a schema when it stores it. */
function withoutEmptyMembers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmptyMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmptyMembers(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: JsonValue): boolean {
  if (value === '' || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** The controller that `bravo init --kudo-image` installs. A controller outside of the cluster has no StatefulSet. */
async function checkStatefulSet(session: ClusterSession, target: InstallationTarget): Promise<Finding[]> {
  const { namespace } = target;
  const place = { group: 'apps', version: 'v1', resource: 'statefulsets', namespace, name: CONTROLLER_NAME };
  const found = await session.api.get(place);
  const part = `StatefulSet ${namespace}/${CONTROLLER_NAME}`;
  if (found === undefined) {
    return [['warnings', `${part} is not installed. This is correct when the controller runs outside of the cluster.`]];
  }
  const problems = [...(await namespaceProblems(session, target)), ...(await accountProblems(session, target))];
  const wanted = numberAt(found, 'spec', 'replicas') ?? 1;
  const ready = numberAt(found, 'status', 'readyReplicas') ?? 0;
  const [container] = arrayAt(found, 'spec', 'template', 'spec', 'containers');
  const state = `${part} (image ${stringAt(container, 'image') ?? ''}) has ${ready} of ${wanted} pods ready`;
  const isReady = wanted > 0 && ready >= wanted;
  return [...problems.map((sentence): Finding => ['errors', sentence]), [isReady ? 'installed' : 'warnings', state]];
}

async function checkLease(session: ClusterSession, { namespace }: InstallationTarget): Promise<Finding[]> {
  const lease = await runningController(session, namespace);
  if (lease === undefined) {
    return [['errors', `No controller is running: the lease ${LEASE_NAME} was not renewed in the last 30 s`]];
  }
  const { holder, renewedSecondsAgo } = lease;
  const part = `Lease ${lease.namespace}/${LEASE_NAME}`;
  return [['installed', `${part} is held by controller ${holder}, renewed ${renewedSecondsAgo} s ago`]];
}

/** Without a webhook the controller decides about an edit after the API server has stored it: slower, but plans run. */
async function checkWebhook({ api }: ClusterSession): Promise<Finding[]> {
  const found = await api.get({ ...CONFIGURATIONS, name: CONFIGURATION_NAME });
  const part = `MutatingWebhookConfiguration ${CONFIGURATION_NAME}`;
  if (found === undefined) {
    return [['warnings', `${part} is not installed. Invalid edits of Instances are refused after they are stored.`]];
  }
  const [entry] = arrayAt(found, 'webhooks');
  const namespace = stringAt(entry, 'clientConfig', 'service', 'namespace');
  const name = stringAt(entry, 'clientConfig', 'service', 'name');
  if (namespace === undefined || name === undefined) {
    return [['installed', `${part} calls ${stringAt(entry, 'clientConfig', 'url') ?? ''}`]];
  }
  const endpoints = await api.get({ group: '', version: 'v1', resource: 'endpoints', namespace, name });
  const hasAddress = arrayAt(endpoints, 'subsets').some((subset) => arrayAt(subset, 'addresses').length > 0);
  if (hasAddress) return [['installed', `${part} calls Service ${namespace}/${name}`]];
  const blocks = stringAt(entry, 'failurePolicy') === 'Fail';
  return [
    [
      blocks ? 'errors' : 'warnings',
      `${part} calls Service ${namespace}/${name}, which has no endpoints.${blocks ? ' The API server refuses every edit of an Instance.' : ''}`,
    ],
  ];
}
