import { Command } from 'commander';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { renderPlan } from '@/lib/kudo/rendering/render';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { randomUuid, seededRandom, systemRandom } from '@/lib/random/random';
import { writeYaml } from '@/lib/yaml/yaml';
import { prepareInstall } from '@/server/packages/prepare-install';
import { findPackage, onlyArgument, type VersionFlags } from './support/packages';
import { type ParameterFlags, readParameters, withParameterFlags } from './support/parameter-flags';
import { print } from './support/session';

interface TemplateFlags extends ParameterFlags, VersionFlags {
  readonly instance?: string;
  readonly namespace?: string;
  readonly plan: string;
}

/** Kinds without a namespace that packages use; rendering asks no cluster. */
const CLUSTER_KINDS =
  /^(Namespace|Node|PersistentVolume|Cluster\w+|CustomResourceDefinition|\w+WebhookConfiguration|StorageClass|PriorityClass|RuntimeClass|IngressClass|APIService|CSI\w+)$/;

/** `bravo template PACKAGE`: prints every object that a plan would create, without a cluster. */
export function templateCommand(): Command {
  const command = new Command('template')
    .description('Print the objects that a plan of a package creates, without a cluster')
    .argument('[package...]', 'the package')
    .option('--instance <name>', 'name of the instance (default: NAME-instance)')
    .option('-n, --namespace <name>', 'namespace', 'default')
    .option('--plan <name>', 'the plan', 'deploy')
    .option('--app-version <version>', 'version of the application')
    .option('--operator-version <version>', 'version of the operator');
  return withParameterFlags(command).action(async (words: string[], flags: TemplateFlags) => {
    const parameters = await readParameters(flags);
    const name = onlyArgument(words, 'expecting exactly one argument - name of the package or path to render');
    await printObjects(name, flags, parameters);
  });
}

async function printObjects(name: string, flags: TemplateFlags, parameters: { [name: string]: string }): Promise<void> {
  const { loaded, context } = await findPackage(name, flags);
  const namespace = flags.namespace ?? 'default';
  const prepared = await prepareInstall({ loaded, context, namespace, instance: flags.instance, parameters });
  if (prepared.missing.length > 0) {
    throw new TerminalError(`missing required parameters: ${prepared.missing.join(',')}`, 'MissingParameters');
  }
  if (prepared.decision.outcome === 'denied') throw new TerminalError(prepared.decision.message ?? '', 'Denied');
  const { operatorVersion, instance } = prepared;
  const uid = randomUuid(systemRandom);
  const tasks = renderPlan({
    operatorVersion,
    instance,
    plan: flags.plan,
    uid,
    parameters: unwrapParameters(operatorVersion, instance.spec?.parameters),
    scopeOf: (_apiVersion, kind) => (CLUSTER_KINDS.test(kind) ? 'cluster' : 'namespaced'),
    environment: { clock: systemClock, random: seededRandom(uid) },
  });
  for (const { phase, step, task, rendered, problem } of tasks) {
    if (problem !== undefined)
      throw new TerminalError(`${flags.plan}.${phase}.${step}.${task.name}: ${problem}`, 'RenderFailed');
    for (const warning of rendered?.warnings ?? []) process.stderr.write(`Warning: ${warning}\n`);
    for (const object of rendered?.objects ?? []) {
      print(
        `---\n# ${flags.plan}/${phase}/${step}: ${task.kind} ${task.name}\n${writeYaml(forReading(object)).trimEnd()}`,
      );
    }
  }
}

/** Names first, and without the owner, which has no uid yet. */
function forReading({ apiVersion, kind, metadata, ...rest }: KubeObject): KubeObject {
  const { ownerReferences: _owner, ...named } = metadata;
  return { apiVersion, kind, metadata: named, ...rest };
}
