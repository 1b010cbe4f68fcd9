import { Command } from 'commander';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import type { KubeObject } from '@/lib/kube/object';
import { liveValuesOf } from '@/lib/kudo/live-values/live-values';
import { DEPLOY_PLAN } from '@/lib/kudo/names';
import { type RenderedTask, renderPlan } from '@/lib/kudo/rendering/render';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import type { OperatorVersion } from '@/lib/kudo/types';
import { randomUuid, systemRandom } from '@/lib/random/random';
import { writeYaml } from '@/lib/yaml/yaml';
import { prepareInstall } from '@/server/packages/prepare-install';
import { findPackageArgument, onlyArgument, type PackageFlags } from './support/packages';
import { type ParameterFlags, readParameters, withParameterFlags } from './support/parameter-flags';
import { printLine } from './support/print-line';

interface TemplateFlags extends ParameterFlags, PackageFlags {
  readonly instance?: string;
  readonly namespace?: string;
  readonly plan?: string;
}

/** Cluster-scoped kinds that packages use; rendering contacts no cluster. */
const CLUSTER_KINDS =
  /^(Namespace|Node|PersistentVolume|Cluster\w+|CustomResourceDefinition|\w+WebhookConfiguration|StorageClass|PriorityClass|RuntimeClass|IngressClass|APIService|CSI\w+)$/;

/** `bravo template PACKAGE`: prints the objects of every plan and step, without a cluster. */
export function templateCommand(): Command {
  const command = new Command('template')
    .description('Print the objects of every plan and step of a package, without a cluster')
    .argument('[package...]', 'the package')
    .option('--instance <name>', 'name of the instance (default: NAME-instance)')
    .option('-n, --namespace <name>', 'namespace', 'default')
    .option('--plan <name>', 'one plan (default: every plan, deploy first)')
    .option('--app-version <version>', 'version of the application')
    .option('--operator-version <version>', 'version of the operator')
    .option('--repo <name>', 'look the package up in this repository of the list (bravo repo list)');
  return withParameterFlags(command).action(async (words: string[], _flags: unknown, self: Command) => {
    const flags = self.optsWithGlobals<TemplateFlags>();
    const parameters = await readParameters(flags);
    const name = onlyArgument(words, 'expecting exactly one argument - name of the package or path to render');
    await printObjects(name, flags, parameters);
  });
}

async function printObjects(name: string, flags: TemplateFlags, parameters: { [name: string]: string }): Promise<void> {
  const { loaded, context } = await findPackageArgument(name, flags);
  const namespace = flags.namespace ?? 'default';
  const prepared = await prepareInstall({
    loaded,
    context,
    namespace,
    instance: flags.instance || undefined,
    parameters,
  });
  if (prepared.missing.length > 0) {
    throw new TerminalError(`missing required parameters: ${prepared.missing.join(',')}`, 'MissingParameters');
  }
  if (prepared.decision.outcome === 'denied') throw new TerminalError(prepared.decision.message ?? '', 'Denied');
  const { operatorVersion, instance } = prepared;
  const uid = randomUuid(systemRandom);
  for (const plan of plansToRender(operatorVersion, flags.plan)) {
    const tasks = renderPlan({
      operatorVersion,
      instance,
      plan,
      uid,
      parameters: unwrapParameters(operatorVersion, instance.spec?.parameters),
      scopeOf: (_apiVersion, kind) => (CLUSTER_KINDS.test(kind) ? 'cluster' : 'namespaced'),
      environment: { clock: systemClock, random: systemRandom },
    });
    for (const task of tasks) printTask(operatorVersion, plan, task);
  }
}

/** The requested plan, or all of them: deploy first, the others by name. */
function plansToRender(operatorVersion: OperatorVersion, wanted: string | undefined): string[] {
  if (wanted !== undefined) return [wanted];
  const names = Object.keys(operatorVersion.spec?.plans ?? {}).sort();
  return [...names.filter((name) => name === DEPLOY_PLAN), ...names.filter((name) => name !== DEPLOY_PLAN)];
}

function printTask(operatorVersion: OperatorVersion, plan: string, rendering: RenderedTask): void {
  const { phase, step, task, rendered, problem } = rendering;
  const { reads } = liveValuesOf(operatorVersion, task.name);
  if (reads.length > 0) {
    const objects = reads.map(({ kind, id }) => `${kind} ${id}`).join(', ');
    printLine(
      `---\n# ${plan}/${phase}/${step}: ${task.kind} ${task.name} is rendered in the cluster only; it reads ${objects}`,
    );
    return;
  }
  if (problem !== undefined) {
    const place = `package ${operatorVersion.metadata.name ?? ''}, ${plan}.${phase}.${step}.${task.name}`;
    throw new TerminalError(`${place}: ${problem}`, 'RenderFailed');
  }
  for (const warning of rendered?.warnings ?? []) process.stderr.write(`Warning: ${warning}\n`);
  for (const object of rendered?.objects ?? []) {
    printLine(`---\n# ${plan}/${phase}/${step}: ${task.kind} ${task.name}\n${writeYaml(forReading(object)).trimEnd()}`);
  }
}

/** The object with its name first, and without its owner, which has no uid yet. */
function forReading({ apiVersion, kind, metadata, ...rest }: KubeObject): KubeObject {
  const { ownerReferences: _owner, ...named } = metadata;
  return { apiVersion, kind, metadata: named, ...rest };
}
