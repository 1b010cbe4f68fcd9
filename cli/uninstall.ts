import { Command } from 'commander';
import { sleep } from '@/lib/clock/clock';
import { TerminalError, TransientError } from '@/lib/errors/errors';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { ownerLinkOf } from '@/lib/kudo/own-kinds/names';
import { heldDeletion } from '@/lib/kudo/plan/held-deletion';
import { findDependents } from '@/server/instances/find-dependents';
import { getInstance, requireInstance } from './support/instances';
import { type ClusterSession, withSession } from './support/session';
import { type WaitFlags, waitTimeMs } from './support/wait-flags';

interface UninstallFlags extends WaitFlags {
  readonly instance?: string;
}

/** `bravo uninstall --instance I`: deletes an Instance. If it has a cleanup plan, that plan runs first. */
export function uninstallCommand(): Command {
  const command = new Command('uninstall')
    .description('Delete an instance; its cleanup plan runs first')
    .argument('[arguments...]')
    .requiredOption('--instance <name>', 'the instance')
    .option('--wait', 'wait until the instance is deleted')
    .option('--wait-time <seconds>', 'how long to wait', '300');
  return command.action(async (words: string[], _flags: unknown, self: Command) => {
    const flags = self.opts<UninstallFlags>();
    if (words.length > 0) {
      const message = 'the command expects no arguments and --instance flag must be provided.';
      throw new TerminalError(`${message}\nUsage: ${self.createHelp().commandUsage(self)}`, 'InvalidArguments');
    }
    const name = flags.instance ?? '';
    await withSession(self, async (session) => {
      await warnOfDependents(session, name);
      const owner = ownerLinkOf(await requireInstance(session, name));
      if (owner !== undefined) {
        const text = `${owner.kind} ${owner.name}`;
        process.stderr.write(
          `Warning: the instance belongs to ${text}, which makes another one; delete ${text} instead\n`,
        );
      }
      await session.api.delete({ ...INSTANCES, namespace: session.namespace, name }, { propagation: 'Background' });
      if (flags.wait === true) await waitUntilDeleted(session, name, waitTimeMs(flags));
      session.printLine(`instance.kudo.dev/v1beta1/${name} deleted\n`);
    });
  });
}

/** Instances that name it go on, and their next plans wait: the person should know. */
async function warnOfDependents({ api, namespace }: ClusterSession, name: string): Promise<void> {
  for (const dependent of await findDependents(api, { namespace, name })) {
    const who = `${dependent.namespace}/${dependent.name}`;
    process.stderr.write(`Warning: instance ${who} refers to it by its parameter ${dependent.parameter}\n`);
  }
}

const POLL_INTERVAL_MS = 500;

async function waitUntilDeleted(session: ClusterSession, name: string, timeoutMs: number): Promise<void> {
  const { clock } = session;
  const end = clock.monotonic() + timeoutMs;
  for (let found = await getInstance(session, name); found !== undefined; found = await getInstance(session, name)) {
    const held = heldDeletion(found);
    if (held !== undefined) throw new TerminalError(held.message, 'PlanFailed');
    if (clock.monotonic() >= end) throw new TransientError('timed out waiting for the condition', 'Timeout');
    await sleep(clock, POLL_INTERVAL_MS);
  }
}
