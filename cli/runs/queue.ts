import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { scheduledPlan } from '@/lib/kudo/plan/scheduled';
import { whyQueued } from '@/lib/kudo/queue/queue-wish';
import { runQueueOf } from '@/lib/kudo/queue/run-queue';
import { changeQueue, parseQueueWish } from '@/server/instances/change-queue';
import { type ConfirmFlags, withConfirmFlag } from '../support/confirm';
import { requireInstance } from '../support/instances';
import { formatOne, formatTable, readFormat } from '../support/output';
import { type ClusterSession, withSession } from '../support/session';
import { startPlan } from '../support/start-plan';

interface QueueFlags extends ConfirmFlags {
  readonly instance: string;
  readonly plan?: string;
  readonly to?: string;
  readonly output?: string;
}

/** `bravo run queue list|move|remove|resume --instance I`. */
export function queueCommand(): Command {
  return new Command('queue')
    .description('Show and change the queue of an instance: the runs that wait for the one under way')
    .addCommand(queueListCommand())
    .addCommand(moveCommand())
    .addCommand(removeCommand())
    .addCommand(queueResumeCommand());
}

function ofInstance(verb: string, description: string): Command {
  return new Command(verb).description(description).requiredOption('--instance <name>', 'the instance');
}

function queueListCommand(): Command {
  return ofInstance('list', 'List what waits, the next one first')
    .option('-o, --output <format>', 'yaml or json')
    .action(async ({ instance: name, output }: QueueFlags, self: Command) => {
      const format = readFormat(output);
      await withSession(self, async (session) => {
        const instance = await requireInstance(session, name);
        const { entries } = runQueueOf(instance);
        if (format !== undefined) return session.printLine(formatOne({ entries }, format));
        if (entries.length === 0) return session.printLine(`No run waits in the queue of instance ${name}.`);
        const rows = entries.map(({ plan, cause, by = '', at, reason = '' }, index) => [
          String(index + 1),
          plan,
          cause,
          by,
          at,
          reason,
        ]);
        session.printLine(formatTable([['PLACE', 'PLAN', 'WHY', 'WHO', 'SINCE', 'REASON'], ...rows]));
        session.printLine(whyQueued(instance) ?? '');
      });
    });
}

function moveCommand(): Command {
  return ofInstance('move', 'Give a plan that waits another place')
    .requiredOption('--plan <name>', 'the plan')
    .requiredOption('--to <place>', 'the place; 1 is the next one')
    .action(async ({ instance: name, plan = '', to = '' }: QueueFlags, self: Command) => {
      const wish = parseQueueWish({ do: 'move', plan, to: Number(to) });
      await withSession(self, async (session) => {
        await changeQueue(session.api, { namespace: session.namespace, name }, wish);
        session.printLine(`Plan ${plan} of instance ${session.namespace}/${name} has place ${to} in the queue.`);
      });
    });
}

function removeCommand(): Command {
  return ofInstance('remove', 'Take a plan off the queue; values that were edited stay stored')
    .requiredOption('--plan <name>', 'the plan')
    .action(async ({ instance: name, plan = '' }: QueueFlags, self: Command) => {
      await withSession(self, async (session) => {
        await changeQueue(session.api, { namespace: session.namespace, name }, { do: 'remove', plan });
        session.printLine(`Plan ${plan} of instance ${session.namespace}/${name} is off the queue.`);
      });
    });
}

function queueResumeCommand(): Command {
  const command = ofInstance('resume', 'Start the first run that waits, although the last run failed');
  return withConfirmFlag(command).action(async (flags: QueueFlags, self: Command) => {
    await withSession(self, (session) => resume(session, flags));
  });
}

/** The person who resumes asks for the run, and confirms it when it is destructive. */
async function resume(session: ClusterSession, flags: QueueFlags): Promise<void> {
  const instance = await requireInstance(session, flags.instance);
  const [first] = runQueueOf(instance).entries;
  const place = `${session.namespace}/${flags.instance}`;
  if (first === undefined) throw new TerminalError(`no run waits in the queue of instance ${place}`, 'Invalid');
  const running = scheduledPlan(instance);
  if (running !== undefined) {
    throw new TerminalError(`plan ${running.plan} of instance ${place} is under way; the queue follows it`, 'Invalid');
  }
  const { plan, reason, stopAfter, retryOf, undoOf } = first;
  const said = Object.entries({ reason, stopAfter, retryOf, undoOf }).filter(([, text]) => text !== undefined);
  await startPlan(session, instance, { plan, wishes: Object.fromEntries(said) }, flags);
  session.printLine(`Plan ${plan} of instance ${place} starts.`);
}
