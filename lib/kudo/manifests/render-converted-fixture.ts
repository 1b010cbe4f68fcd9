import type { KubeObject } from '@/lib/kube/object';
import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { parsePackage } from '../package/parse-package';
import { newInstance, packageToObjects } from '../package/to-objects';
import type { PackageFiles } from '../package/types';
import { decodeTask } from '../rendering/render';
import { unwrapParameters } from '../rendering/unwrap';

/** The objects of one plan of a package as the controller would apply them, before they are marked. */
export function renderConverted(
  files: PackageFiles,
  options: { name: string; namespace: string; parameters: { [name: string]: string }; plan?: string },
): KubeObject[] {
  const read = parsePackage(files);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { operatorVersion } = packageToObjects(read.package, { namespace: options.namespace });
  const instance = newInstance(operatorVersion, options);
  const plan = options.plan ?? 'deploy';
  const tasks = new Map(read.package.operator.tasks.map((task) => [task.name, task]));
  const names = (read.package.operator.plans[plan]?.phases ?? []).flatMap((phase) =>
    (phase.steps ?? []).flatMap((step) => step.tasks ?? []),
  );
  return names.flatMap((name) => {
    const task = tasks.get(name);
    if (task === undefined) throw new Error(`no task ${name}`);
    return decodeTask(
      {
        operatorVersion,
        instance,
        plan,
        phase: 'p',
        step: 's',
        uid: 'u',
        parameters: unwrapParameters(operatorVersion, options.parameters),
        pipes: {},
        environment: { clock: { now: () => 0 }, random: keyStream(new Uint8Array(STREAM_KEY_BYTES), 'test') },
      },
      task,
    ).objects;
  });
}
