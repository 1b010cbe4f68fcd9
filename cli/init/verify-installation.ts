import { messageOf } from '@/lib/errors/errors';
import { arrayAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { installationSteps, installedCrds } from '@/lib/kudo/installation/manifests';
import { CONSOLE_NAME, CONTROLLER_NAME, LEASE_NAME } from '@/lib/kudo/installation/names';
import { runningController } from '@/server/kube/running-controller';
import { CONFIGURATION_NAME, CONFIGURATIONS } from '@/server/webhook/registration';
import type { ClusterSession } from '../support/session';
import type { InstallationCheck, InstallationFinding } from './finding';
import { accountProblems, namespaceProblems } from './preconditions';
import { checkCrd } from './verify-crd';
import { checkObject, type ObjectCheck } from './verify-objects';

type Check = readonly [part: string, check: () => Promise<InstallationFinding[]>];

/**
 * Checks the CRDs, and unless only they are asked for, each object that the same `init` would apply, the controller's lease and its
 * webhook. A controller outside of the cluster has no Deployment; its objects are checked when there is one.
 */
export async function verifyInstallation(
  session: ClusterSession,
  target: ObjectCheck & { readonly crdOnly: boolean },
): Promise<InstallationCheck> {
  const checks: Check[] = installedCrds().map((crd) => [`CRD ${nameOf(crd)}`, () => checkCrd(session, crd)]);
  if (!target.crdOnly) checks.push(...objectChecks(session, target), ...runningChecks(session, target));
  const findings: InstallationFinding[] = [];
  for (const [part, check] of checks) {
    findings.push(
      ...(await check().catch((error: unknown): InstallationFinding[] => [
        ['errors', `${part} cannot be read: ${messageOf(error)}`],
      ])),
    );
  }
  const of = (kind: keyof InstallationCheck) =>
    findings.filter(([each]) => each === kind).map(([, sentence]) => sentence);
  return { installed: of('installed'), warnings: of('warnings'), errors: of('errors') };
}

function objectChecks(session: ClusterSession, target: ObjectCheck): Check[] {
  const { options } = target;
  const steps = installationSteps(options).filter(({ step }) => step !== 'crds');
  const checkAll = async (objects: readonly KubeObject[]): Promise<InstallationFinding[]> => {
    const found: InstallationFinding[] = [];
    for (const object of objects) found.push(...(await checkObject(session, object, target)));
    return found;
  };
  const ofConsole = (object: KubeObject) => nameOf(object).startsWith(CONSOLE_NAME);
  const objects = steps.flatMap((step) => step.objects);
  const controller = objects.filter((object) => !ofConsole(object));
  return [
    [
      `Deployment ${options.namespace}/${CONTROLLER_NAME}`,
      async () => {
        const part = `Deployment ${options.namespace}/${CONTROLLER_NAME}`;
        const place = { group: 'apps', version: 'v1', resource: 'deployments' };
        const found = await session.api.get({ ...place, namespace: options.namespace, name: CONTROLLER_NAME });
        if (found === undefined) {
          return [
            ['warnings', `${part} is not installed. This is correct when the controller runs outside of the cluster.`],
          ];
        }
        const problems = [...(await namespaceProblems(session, options)), ...(await accountProblems(session, options))];
        return [
          ...problems.map((sentence): InstallationFinding => ['errors', sentence]),
          ...(await checkAll(controller)),
        ];
      },
    ],
    [`Deployment ${options.namespace}/${CONSOLE_NAME}`, () => checkAll(objects.filter(ofConsole))],
  ];
}

function runningChecks(session: ClusterSession, { options }: ObjectCheck): Check[] {
  const checks: Check[] = [[`Lease ${LEASE_NAME}`, () => checkLease(session, options)]];
  if (options.namespaces.length === 0) {
    checks.push([`MutatingWebhookConfiguration ${CONFIGURATION_NAME}`, () => checkWebhook(session)]);
  }
  return checks;
}

async function checkLease(
  session: ClusterSession,
  { namespace }: ObjectCheck['options'],
): Promise<InstallationFinding[]> {
  const lease = await runningController(session, namespace);
  if (lease === undefined) {
    return [['errors', `No controller is running: the lease ${LEASE_NAME} was not renewed in the last 30 s`]];
  }
  const { holder, renewedSecondsAgo } = lease;
  const part = `Lease ${lease.namespace}/${LEASE_NAME}`;
  return [['installed', `${part} is held by controller ${holder}, renewed ${renewedSecondsAgo} s ago`]];
}

/** Without a webhook the controller decides about an edit after the API server has stored it: slower, but plans run. */
async function checkWebhook({ api }: ClusterSession): Promise<InstallationFinding[]> {
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
