import { TerminalError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS, OPERATORS } from '@/lib/kudo/crds/crds';
import { operatorVersionKey, SELF_HEAL_ANNOTATION } from '@/lib/kudo/names';
import { isSecretParameter, secretParameters } from '@/lib/kudo/parameters/parameters';
import { HISTORY_ANNOTATION } from '@/lib/kudo/plan/run-history';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import type { DiagnosticsContext } from './collect-objects';
import { collectOwned } from './collect-owned';

/**
 * The Instance, its version and operator, every object and event of the Instance, and the same of each child.
 *
 * @throws TerminalError when the Instance, its version or its operator cannot be read; the reason is in the bundle too
 */
export async function collectInstance(context: DiagnosticsContext, name: string): Promise<void> {
  const { session } = context;
  session.printLine('Collect ResourceGroup for 3 collectors');
  const place = `${session.namespace}/${name}`;
  const instance = await required(
    context,
    'instance',
    `instance ${place} does not exist`,
    () => session.api.get({ ...INSTANCES, namespace: session.namespace, name }) as Promise<Instance | undefined>,
  );
  const folder = await collectFamily(context, '', instance);
  const { items } = await session.api.list({ ...INSTANCES, namespace: session.namespace });
  for (const child of items as Instance[]) {
    const owners = child.metadata.ownerReferences ?? [];
    if (owners.some(({ uid }) => uid === instance.metadata.uid)) await collectFamily(context, `${folder}/`, child);
  }
}

/** Returns the folder of the operator. */
async function collectFamily(context: DiagnosticsContext, below: string, instance: Instance): Promise<string> {
  const { session, bundle } = context;
  const versionName = instance.spec?.operatorVersion?.name ?? '';
  const version = await required(
    context,
    'operatorversion',
    `operatorversion ${versionName} does not exist`,
    () =>
      session.api.get({ ...OPERATOR_VERSIONS, ...operatorVersionKey(instance) }) as Promise<
        OperatorVersion | undefined
      >,
  );
  const operatorName = version.spec?.operator?.name ?? '';
  const { namespace } = session;
  const operator = await required(context, 'operator', `operator ${namespace}/${operatorName} does not exist`, () =>
    session.api.get({ ...OPERATORS, namespace, name: operatorName }),
  );
  const folder = `${below}operator_${operatorName}`;
  await bundle.writeYaml(`${folder}/${operatorName}.yaml`, operator);
  await bundle.writeYaml(`${folder}/operatorversion_${versionName}/${versionName}.yaml`, version);
  const name = instance.metadata.name ?? '';
  const own = `${folder}/instance_${name}`;
  await bundle.writeYaml(`${own}/${name}.yaml`, withoutSecrets(instance, version));
  await collectOwned(context, own, { instance, operatorName });
  return folder;
}

async function required<T extends KubeObject>(
  { bundle }: DiagnosticsContext,
  kind: string,
  missing: string,
  read: () => Promise<T | undefined>,
): Promise<T> {
  try {
    const found = await read();
    if (found === undefined) throw new TerminalError(missing, 'NotFound');
    return found;
  } catch (error) {
    await bundle.writeError(`${kind}.err`, error);
    throw error;
  }
}

/** Annotations that hold no values of parameters. */
const SAFE: ReadonlySet<string> = new Set([HISTORY_ANNOTATION, SELF_HEAL_ANNOTATION]);

/** Secret parameters are masked whatever their values are: also a value that is a public name, which the redactor leaves. */
function withoutSecrets(instance: Instance, version: OperatorVersion): Instance {
  const secret = secretParameters(version);
  const parameters = Object.entries(instance.spec?.parameters ?? {}).map(([name, value]) => [
    name,
    secret.has(name) || isSecretParameter(name) ? SECRET_MARK : value,
  ]);
  const { annotations = {}, ...metadata } = instance.metadata;
  const kept = Object.entries(annotations).filter(([key]) => SAFE.has(key) || !/kudo\.dev\//.test(key));
  return {
    ...instance,
    metadata: { ...metadata, annotations: Object.fromEntries(kept) },
    spec: { ...instance.spec, parameters: Object.fromEntries(parameters) },
  };
}
