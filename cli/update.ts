import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { INSTANCES } from '@/lib/kudo/crds';
import { planForChange } from '@/lib/kudo/triggers';
import { executionUids } from '@/server/packages/await-plan';
import { getOperatorVersion, requireInstance, type WaitFlags, waitForPlan } from './support/instances';
import { type ParameterFlags, readParameters, withParameterFlags } from './support/parameter-flags';
import { withSession } from './support/session';
import { writeOrWarn } from './support/warn-if-no-controller';

interface UpdateFlags extends ParameterFlags, WaitFlags {
  readonly instance?: string;
}

/** `bravo update --instance I -p K=V`: changes parameters and starts the plan that they trigger. */
export function updateCommand(): Command {
  const command = new Command('update')
    .description('Change parameters of an instance')
    .argument('[arguments...]')
    .option('--instance <name>', 'the instance')
    .option('--wait', 'wait until the plan that starts is complete')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return withParameterFlags(command).action(async (words: string[], _flags: unknown, self: Command) => {
    const flags = self.opts<UpdateFlags>();
    const parameters = await readParameters(flags);
    const name = check(words, flags, parameters);
    await withSession(self, async (session) => {
      const instance = await requireInstance(session, name);
      const operatorVersion = await getOperatorVersion(session, instance);
      const preview = planForChange(instance, operatorVersion, { parameters });
      if (preview.outcome === 'refused') {
        throw new TerminalError(`updating instance ${name}: ${preview.message ?? 'the edit is refused'}`, 'Denied');
      }
      for (const warning of preview.warnings) process.stderr.write(`Warning: ${warning}\n`);
      // KUDO sends the empty members too; a merge patch ignores them.
      const patch = { spec: { operatorVersion: {}, parameters, planExecution: {} } };
      const target = { ...INSTANCES, namespace: session.namespace, name };
      await writeOrWarn(session, () => session.api.patch(target, 'merge', patch)).catch((error: unknown) => {
        throw new TerminalError(`updating instance ${name}: ${messageOf(error)}`, 'Denied', { cause: error });
      });
      if (flags.wait === true && preview.plan !== undefined) {
        await waitForPlan(session, name, flags, executionUids(instance));
      }
      session.printLine(`Instance ${name} was updated.`);
    });
  });
}

function check(words: readonly string[], flags: UpdateFlags, parameters: { [name: string]: string }): string {
  const refuse = (message: string): never => {
    throw new TerminalError(message, 'InvalidArguments');
  };
  if (words.length > 0) refuse('expecting no arguments provided for update. Only named flags are accepted');
  const { instance = '' } = flags;
  if (instance === '') refuse('--instance flag has to be provided to indicate which instance you want to update');
  if (Object.keys(parameters).length === 0) {
    refuse('need to specify at least one parameter to override via -p otherwise there is nothing to update');
  }
  return instance;
}
