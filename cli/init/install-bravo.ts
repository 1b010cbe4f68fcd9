import { messageOf, TerminalError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, numberAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { InstallationStep } from '@/lib/kudo/installation/manifests';
import { CONTROLLER_NAME, LEASE_NAMESPACE, ROLE_BINDING, SERVICE_ACCOUNT } from '@/lib/kudo/installation/names';
import type { InstallationOptions } from '@/lib/kudo/installation/options';
import type { Target } from '@/server/kube/api';
import { installCrds } from '@/server/kube/install-crds';
import { runningController } from '@/server/kube/running-controller';
import type { ClusterSession } from '../support/session';
import { applyInstalled, deleteAndWait } from './apply-installed';
import { copyKeys } from './move-keys';
import { accountProblems, namespaceProblems } from './preconditions';

export interface InitOptions {
  readonly options: InstallationOptions;
  /** False when no flag names an image: then no controller and no console is installed. */
  readonly hasImage: boolean;
  readonly upgrade: boolean;
  printLine(line: string): void;
}

/**
 * Applies the objects of an installation, so that a repetition updates them and keeps what others have set besides. The controller is installed
 * if a flag names an image; what KUDO or an older Bravo installed under its name is deleted first.
 *
 * @throws TerminalError `error installing: STEP: …`
 */
export async function installBravo(
  session: ClusterSession,
  steps: readonly InstallationStep[],
  init: InitOptions,
): Promise<void> {
  if (steps.length > 1) await checkRequirements(session, init);
  if (!init.hasImage && steps.length > 1) await sayNoImage(session, init);
  for (const each of steps) {
    const needsImage = each.step === 'kudo controller' || each.step === 'console';
    if (needsImage && !init.hasImage) continue;
    try {
      await installStep(session, each, { init, isComplete: steps.length > 1 });
    } catch (error) {
      const doing = init.upgrade ? 'upgrading' : 'installing';
      const message = `error ${doing}: ${each.step}: ${messageOf(error)}`;
      throw new TerminalError(message, 'InstallationFailed', { cause: error });
    }
    init.printLine(`✅ installed ${each.step}`);
  }
}

async function checkRequirements(session: ClusterSession, { options, upgrade }: InitOptions): Promise<void> {
  const problems = [...(await namespaceProblems(session, options)), ...(await accountProblems(session, options))];
  if (problems.length === 0) return;
  process.stderr.write(`${['Errors', ...problems].join('\n')}\n`);
  throw new TerminalError(
    `failed to verify ${upgrade ? 'upgrade' : 'installation'} requirements`,
    'InstallationRefused',
  );
}

async function installStep(
  session: ClusterSession,
  { step, objects }: InstallationStep,
  { init, isComplete }: { readonly init: InitOptions; readonly isComplete: boolean },
): Promise<void> {
  if (step === 'crds') {
    await installDefinitions(session, init, isComplete);
    return;
  }
  if (step === 'kudo controller') await replaceFormer(session, init);
  for (const object of objects) await applyInstalled(session, object);
}

/** The CRDs, which say where the lease is when a controller in this cluster keeps it in its own namespace. */
async function installDefinitions(session: ClusterSession, init: InitOptions, isComplete: boolean): Promise<void> {
  const annotations = init.hasImage && isComplete ? { [LEASE_NAMESPACE]: init.options.namespace } : {};
  await installCrds(session.api, session.clock, { annotations });
}

async function sayNoImage(session: ClusterSession, { options, printLine }: InitOptions): Promise<void> {
  await warnOfManager(session, options.namespace);
  const lease = await runningController(session, options.namespace);
  if (lease !== undefined) {
    printLine(
      `Controller ${lease.holder} is already running, so none was installed. To install one, pass --kudo-image IMAGE.`,
    );
    return;
  }
  printLine(
    'No controller is installed, because no image is published. Build one with npm run image and pass --kudo-image IMAGE, or run bravo controller.',
  );
}

const manager = (namespace: string): Target => ({
  group: 'apps',
  version: 'v1',
  resource: 'statefulsets',
  namespace,
  name: CONTROLLER_NAME,
});

/** Without an image KUDO's own manager keeps running, and two managers must not act at once. */
async function warnOfManager({ api }: ClusterSession, namespace: string): Promise<void> {
  const found = await api.get(manager(namespace));
  if (found === undefined || numberAt(found, 'spec', 'replicas') === 0) return;
  const [container] = arrayAt(found, 'spec', 'template', 'spec', 'containers');
  const image = stringAt(container, 'image') ?? '';
  if (image.includes('bravo')) return;
  process.stderr.write(
    `Warning: StatefulSet ${namespace}/${CONTROLLER_NAME} runs ${image}. Two managers must not run at once. Stop it: kubectl -n ${namespace} scale statefulset ${CONTROLLER_NAME} --replicas 0\n`,
  );
}

/** Ends the StatefulSet of KUDO or of an older Bravo, takes its keys over, and takes `cluster-admin` back unless it is asked for. */
async function replaceFormer(session: ClusterSession, { options, printLine }: InitOptions): Promise<void> {
  const { namespace, controllerRole, namespaces } = options;
  if (await deleteAndWait(session, manager(namespace))) {
    printLine(`Deleted StatefulSet ${namespace}/${CONTROLLER_NAME}; a Deployment replaces it.`);
  }
  if (namespaces.length > 0) return;
  for (const key of await copyKeys(session, namespace)) {
    printLine(`Copied ${key} from namespace default to ${namespace}, where the controller reads it from now on.`);
  }
  if (controllerRole === 'cluster-admin' || options.serviceAccount !== SERVICE_ACCOUNT) return;
  const target = {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    resource: 'clusterrolebindings',
    name: ROLE_BINDING,
  };
  const binding = await session.api.get(target);
  if (binding === undefined || !isForAccount(binding, namespace)) return;
  await deleteAndWait(session, target);
  printLine(
    `Deleted ClusterRoleBinding ${ROLE_BINDING} (cluster-admin); the controller has ClusterRole bravo-controller instead. To keep it, pass --controller-role cluster-admin.`,
  );
}

function isForAccount(binding: KubeObject, namespace: string): boolean {
  return arrayAt(binding, 'subjects').some(
    (subject) => isJsonObject(subject) && subject.name === SERVICE_ACCOUNT && subject.namespace === namespace,
  );
}
