import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import type { ChangePreview } from '@/lib/kudo/admission/triggers';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { runsThatEnded } from '@/lib/kudo/runs/recorded-runs';
import { gateWishes, type RunWishes, requestAnnotations } from '@/lib/kudo/runs/run-request';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { randomUuid, systemRandom } from '@/lib/random/random';
import { retryOnConflict } from '@/server/kube/retry-on-conflict';
import { awaitedPlan, executionUids, isSettled } from '@/server/packages/await-plan';
import { previewChange } from '@/server/preconditions/preview-change';
import { planRequestCommand } from './approvals/request';
import { type ConfirmFlags, confirmationFor, withConfirmFlag } from './support/confirm';
import { type GateFlags, withGateFlags } from './support/gate-flags';
import { historyTree } from './support/history-tree';
import { getInstance, getOperatorVersion, type WaitFlags, waitForPlan } from './support/instances';
import { formatOne, formatTree, readFormat } from './support/output';
import { statusTree } from './support/plan-tree';
import {
  type PreviewFlags,
  readPreviewFormat,
  showPreview,
  withPreviewFlags,
  withTokenFlag,
} from './support/preview-flags';
import { readRuns } from './support/run-history';
import { type ClusterSession, withSession } from './support/session';
import { writeOrWarn } from './support/warn-if-no-controller';

/** `bravo plan status|history|trigger|request|wait`. */
export function planCommand(): Command {
  return new Command('plan')
    .description('Show, start and wait for plans of an instance')
    .addCommand(statusCommand())
    .addCommand(historyCommand())
    .addCommand(triggerCommand())
    .addCommand(planRequestCommand())
    .addCommand(waitCommand());
}

interface PlanFlags extends WaitFlags, ConfirmFlags, PreviewFlags, GateFlags {
  readonly instance?: string;
  readonly name?: string;
  readonly reason?: string;
  readonly stopAfter?: string;
}

function statusCommand(): Command {
  const command = new Command('status')
    .description('Show the plans of an instance as a tree')
    .argument('[arguments...]')
    .requiredOption('--instance <name>', 'the instance')
    .option('--wait', 'wait until the running plan is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300')
    .option('-o, --output <format>', 'yaml or json');
  return command.action(async (_words: string[], flags: PlanFlags, self: Command) => {
    await withSession(self, (session) => status(session, flags));
  });
}

async function status(session: ClusterSession, flags: PlanFlags): Promise<void> {
  const { namespace } = session;
  const name = flags.instance ?? '';
  const instance = await getInstance(session, name);
  if (instance === undefined) throw new TerminalError(`instance ${namespace}/${name} does not exist`, 'NotFound');
  const format = readFormat(flags.output);
  if (format !== undefined) {
    session.printLine(formatOne(instance.status ?? {}, format));
    return;
  }
  const operatorVersion = await getOperatorVersion(session, instance);
  if (operatorVersion === undefined) {
    const missing = instance.spec?.operatorVersion?.name ?? '';
    throw new TerminalError(`OperatorVersion ${missing} from instance ${namespace}/${name} does not exist`, 'NotFound');
  }
  const show = (text: string): void => session.printLine(`Plan(s) for "${name}" in namespace "${namespace}":\n${text}`);
  const tree = statusTree(instance, operatorVersion);
  if (tree === undefined) {
    session.printLine(`No plan ever run for instance - nothing to show for instance ${name}`);
    return;
  }
  show(formatTree(tree));
  const isOver = awaitedPlan(instance)?.status === 'COMPLETE' && isSettled(instance);
  if (flags.wait !== true || isOver) return;
  await waitForPlan(session, name, flags);
  const after = statusTree((await getInstance(session, name)) ?? instance, operatorVersion);
  if (after !== undefined) show(formatTree(after));
}

function historyCommand(): Command {
  const command = new Command('history')
    .description('Show the runs of each plan of an instance, the last one first')
    .argument('[arguments...]')
    .option('--instance <name>', 'the instance');
  return command.action(async (_words: string[], flags: PlanFlags, self: Command) => {
    const name = requireName(flags);
    await withSession(self, async (session) => {
      const instance = await getInstance(session, name);
      if (instance === undefined) {
        throw new TerminalError(`client Error: instance ${session.namespace}/${name} does not exist`, 'NotFound');
      }
      const { planRuns, missing } = await readRuns(session);
      session.printLine(formatTree(historyTree(instance, runsThatEnded(instance, planRuns))));
      if (missing !== undefined) process.stderr.write(`${missing}\n`);
    });
  });
}

function triggerCommand(): Command {
  const command = new Command('trigger')
    .description('Start a plan of an instance')
    .argument('[arguments...]')
    .option('--instance <name>', 'the instance')
    .option('--name <plan>', 'the plan')
    .option('--reason <text>', 'why, for the record of the run')
    .option('--stop-after <phase>', 'hold the run when this phase is complete')
    .option('--wait', 'wait until the plan is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withTokenFlag(withPreviewFlags(withGateFlags(withConfirmFlag(command)))).action(
    async (_words: string[], flags: PlanFlags, self: Command) => {
      readPreviewFormat(flags);
      const name = requireName(flags);
      const plan = flags.name ?? '';
      if (plan === '')
        throw new TerminalError("please choose the plan name with '--name=<planName>'", 'InvalidArguments');
      await withSession(self, async (session) => {
        if (flags.preview === true) await showStart(session, { name, plan, flags });
        else await trigger(session, { name, plan, flags });
      });
    },
  );
}

async function showStart(
  session: ClusterSession,
  { name, plan, flags }: { name: string; plan: string; flags: PlanFlags },
): Promise<void> {
  const instance = await getInstance(session, name);
  if (instance === undefined) throw new TerminalError(`instances.kudo.dev "${name}" not found`, 'NotFound');
  const operatorVersion = await getOperatorVersion(session, instance);
  await showPreview(session, { instance, operatorVersion }, { edit: { plan } }, flags);
}

async function trigger(
  session: ClusterSession,
  wanted: { name: string; plan: string; flags: PlanFlags },
): Promise<void> {
  const { name, plan, flags } = wanted;
  const { namespace } = session;
  let confirmed: Promise<JsonObject> | undefined;
  // A person is asked once.
  const confirm: Confirm = (...about) => {
    confirmed ??= confirmationFor(...about, flags);
    return confirmed;
  };
  // The controller may write between the read and the patch.
  const { instance, isQueued } = await retryOnConflict(() => patchExecution(session, wanted, confirm));
  if (flags.wait === true) await waitForPlan(session, name, flags, executionUids(instance));
  session.printLine(
    isQueued && flags.wait !== true
      ? `Plan ${plan} waits in the queue of ${namespace}/${name} instance`
      : `Triggered ${plan} plan for ${namespace}/${name} instance`,
  );
}

type Confirm = (preview: ChangePreview, operatorVersion: OperatorVersion | undefined) => Promise<JsonObject>;

/** Returns the Instance as it was before, and whether the plan waits for another one. */
async function patchExecution(
  session: ClusterSession,
  { name, plan, flags }: { name: string; plan: string; flags: PlanFlags },
  confirm: Confirm,
): Promise<{ readonly instance: Instance; readonly isQueued: boolean }> {
  const { api, namespace } = session;
  const instance = await getInstance(session, name);
  if (instance === undefined) {
    throw new TerminalError(`instances.kudo.dev "${name}" not found`, 'NotFound');
  }
  const operatorVersion = await getOperatorVersion(session, instance);
  const preview = await previewChange(api, instance, operatorVersion, { plan, ...gateWishes(flags) });
  if (preview.outcome === 'refused') {
    throw new TerminalError(
      `failed to trigger plan ${plan} of instance ${namespace}/${name}: ${preview.message ?? ''}`,
      'Denied',
    );
  }
  const planExecution = { planName: plan, uid: randomUuid(systemRandom) };
  const { resourceVersion } = instance.metadata;
  const patch = {
    metadata: {
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      annotations: {
        ...(await confirm(preview, operatorVersion)),
        ...requestAnnotations(plan, wishesOf(flags, operatorVersion, plan)),
      },
    },
    spec: { operatorVersion: {}, planExecution },
  };
  await writeOrWarn(session, () => api.patch({ ...INSTANCES, namespace, name }, 'merge', patch));
  return { instance, isQueued: preview.outcome === 'queues' };
}

/** @throws TerminalError `InvalidArguments` for a phase that the plan does not have */
function wishesOf(
  { reason, stopAfter, breakLock, approval, asPreviewed }: PlanFlags,
  operatorVersion: OperatorVersion | undefined,
  plan: string,
): RunWishes {
  const phases = (operatorVersion?.spec?.plans?.[plan]?.phases ?? []).map(({ name }) => name);
  if (stopAfter !== undefined && !phases.includes(stopAfter)) {
    const message = `plan ${plan} has no phase "${stopAfter}"; its phases are ${phases.join(', ')}`;
    throw new TerminalError(message, 'InvalidArguments');
  }
  const wishes = { reason, stopAfter, breakLock, approval, preview: asPreviewed };
  return Object.fromEntries(Object.entries(wishes).filter(([, text]) => text !== undefined));
}

function waitCommand(): Command {
  const command = new Command('wait')
    .description('Wait until the plan that runs or ran last is complete')
    .argument('[arguments...]')
    .option('--instance <name>', 'the instance')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return command.action(async (_words: string[], flags: PlanFlags, self: Command) => {
    const name = requireName(flags);
    await withSession(self, async (session) => {
      await waitForPlan(session, name, flags);
      session.printLine(`instance ${session.namespace}/${name} ready`);
    });
  });
}

function requireName({ instance = '' }: PlanFlags): string {
  if (instance !== '') return instance;
  throw new TerminalError("please choose the instance with '--instance=<instanceName>'", 'InvalidArguments');
}
