import { sleep } from '@/lib/clock/clock';
import { ConflictError, messageOf, TerminalError, TransientError } from '@/lib/errors/errors';
import { arrayAt, numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { CONTROLLER_NAME, type InstallationStep } from '@/lib/kudo/installation/manifests';
import type { Target } from '@/server/kube/api';
import { installCrds } from '@/server/kube/install-crds';
import type { ClusterSession } from '../support/session';
import { runningController } from './controller-lease';
import { accountProblems, namespaceProblems } from './preconditions';

export interface InitOptions {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** False when no flag names an image: then no controller is installed. */
  readonly hasImage: boolean;
  readonly upgrade: boolean;
  printLine(line: string): void;
}

/**
 * Creates the objects of an installation. Existing objects are kept, except the controller, which is replaced if a flag names an image. The
 * StatefulSet has the name of KUDO's manager, so this replaces KUDO's manager too.
 *
 * @throws TerminalError `error installing: STEP: …`
 */
export async function installBravo(
  session: ClusterSession,
  steps: readonly InstallationStep[],
  options: InitOptions,
): Promise<void> {
  const problems = [...(await namespaceProblems(session, options)), ...(await accountProblems(session, options))];
  if (problems.length > 0 && steps.length > 1) {
    process.stderr.write(`${['Errors', ...problems].join('\n')}\n`);
    throw new TerminalError(
      `failed to verify ${options.upgrade ? 'upgrade' : 'installation'} requirements`,
      'InstallationRefused',
    );
  }
  for (const { step, objects } of steps) {
    try {
      if (step === 'crds') await installCrds(session.api, session.clock);
      else if (step === 'kudo controller') {
        if (!(await wantsController(session, options))) continue;
        await replaceController(session, objects);
      } else for (const object of objects) await ensure(session, object);
    } catch (error) {
      const doing = options.upgrade ? 'upgrading' : 'installing';
      throw new TerminalError(`error ${doing}: ${step}: ${messageOf(error)}`, 'InstallationFailed', { cause: error });
    }
    options.printLine(`✅ installed ${step}`);
  }
}

async function wantsController(session: ClusterSession, options: InitOptions): Promise<boolean> {
  if (options.hasImage) return true;
  await warnOfManager(session, options.namespace);
  const lease = await runningController(session, options.namespace);
  if (lease !== undefined) {
    options.printLine(
      `Controller ${lease.holder} is already running, so none was installed. To install one, pass --kudo-image IMAGE.`,
    );
    return false;
  }
  options.printLine(
    'No controller was installed, because no image is published. Pass --kudo-image IMAGE, or run bravo controller.',
  );
  return false;
}

/** Without an image KUDO's own manager keeps running, and two managers must not act at once. */
async function warnOfManager({ api }: ClusterSession, namespace: string): Promise<void> {
  const place = { group: 'apps', version: 'v1', resource: 'statefulsets', namespace, name: CONTROLLER_NAME };
  const manager = await api.get(place);
  if (manager === undefined || numberAt(manager, 'spec', 'replicas') === 0) return;
  const [container] = arrayAt(manager, 'spec', 'template', 'spec', 'containers');
  const image = stringAt(container, 'image') ?? '';
  if (image.includes('bravo')) return;
  process.stderr.write(
    `Warning: StatefulSet ${namespace}/${CONTROLLER_NAME} runs ${image}. Two managers must not run at once. Stop it: kubectl -n ${namespace} scale statefulset ${CONTROLLER_NAME} --replicas 0\n`,
  );
}

const RESOURCES: { readonly [kind: string]: Pick<Target, 'group' | 'version' | 'resource'> } = {
  Namespace: { group: '', version: 'v1', resource: 'namespaces' },
  ServiceAccount: { group: '', version: 'v1', resource: 'serviceaccounts' },
  Service: { group: '', version: 'v1', resource: 'services' },
  ClusterRoleBinding: { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterrolebindings' },
  StatefulSet: { group: 'apps', version: 'v1', resource: 'statefulsets' },
};

function targetOf(object: KubeObject): Target {
  const resource = RESOURCES[object.kind];
  if (resource === undefined) throw new TerminalError(`${object.kind} is not part of an installation`, 'Unknown');
  const namespace = object.metadata.namespace === undefined ? {} : { namespace: namespaceOf(object) };
  return { ...resource, ...namespace, name: nameOf(object) };
}

async function ensure({ api }: ClusterSession, object: KubeObject): Promise<void> {
  const target = targetOf(object);
  if ((await api.get(target)) !== undefined) return;
  await api.create(target, object).catch((error: unknown) => {
    if (!(error instanceof ConflictError)) throw error;
  });
}

const DELETED_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 250;

/** Deletes KUDO's Service and StatefulSet and creates ours: most fields of a StatefulSet are immutable. */
async function replaceController(session: ClusterSession, objects: readonly KubeObject[]): Promise<void> {
  const { api, clock } = session;
  for (const object of [...objects].reverse()) {
    const target = targetOf(object);
    await api.delete(target, { propagation: 'Foreground' });
    const end = clock.monotonic() + DELETED_WITHIN_MS;
    while ((await api.get(target)) !== undefined) {
      if (clock.monotonic() > end)
        throw new TransientError(`${object.kind} ${nameOf(object)} was not deleted within 60 s`, 'Timeout');
      await sleep(clock, POLL_INTERVAL_MS);
    }
  }
  for (const object of objects) await api.create(targetOf(object), object);
}
