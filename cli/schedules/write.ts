import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import {
  CONCURRENCY_POLICIES,
  MISSED_RUN_POLICIES,
  PLAN_SCHEDULE_API_VERSION,
  PLAN_SCHEDULES,
  type PlanScheduleSpec,
} from '@/lib/kudo/schedules/plan-schedule';
import { slotsOf } from '@/lib/kudo/schedules/slots';
import { type ConfirmFlags, withConfirmFlag } from '../support/confirm';
import { requireInstance } from '../support/instances';
import { type ParameterFlags, readParameters, withParameterFlags } from '../support/parameter-flags';
import { withSession } from '../support/session';

interface CreateFlags extends ParameterFlags, ConfirmFlags {
  readonly instance?: string;
  readonly plan?: string;
  readonly schedule?: string;
  readonly timeZone?: string;
  readonly concurrency?: string;
  readonly missed?: string;
  readonly deadline?: string;
  readonly suspend?: boolean;
}

/** `bravo schedule create NAME`. */
export function scheduleCreateCommand(): Command {
  const command = new Command('create')
    .description('Create a schedule that starts a plan of an instance')
    .argument('<name>', 'the schedule')
    .requiredOption('--instance <name>', 'the instance')
    .requiredOption('--plan <name>', 'the plan')
    .requiredOption('--schedule <cron>', 'when: five cron fields such as "30 2 * * *", or @daily')
    .option('--time-zone <zone>', 'IANA time zone of the schedule (default: UTC)')
    .option('--concurrency <policy>', `while another plan runs: ${CONCURRENCY_POLICIES.join(' or ')}`)
    .option('--missed <policy>', `what becomes of a missed slot: ${MISSED_RUN_POLICIES.join(' or ')}`)
    .option('--deadline <seconds>', 'how late a missed slot may start (default: 3600)')
    .option('--suspend', 'create it suspended');
  return withConfirmFlag(withParameterFlags(command)).action(
    async (name: string, flags: CreateFlags, self: Command) => {
      const spec = await specOf(flags);
      const problem = slotsOf(spec);
      if (typeof problem === 'string') throw new TerminalError(problem, 'InvalidSchedule');
      await withSession(self, async (session) => {
        const { api, namespace } = session;
        await requireInstance(session, spec.instanceName ?? '');
        const object = {
          apiVersion: PLAN_SCHEDULE_API_VERSION,
          kind: 'PlanSchedule',
          metadata: { name, namespace },
          spec,
        };
        await api.create({ ...PLAN_SCHEDULES, namespace }, object);
        session.printLine(`schedule ${namespace}/${name} created`);
      });
    },
  );
}

async function specOf(flags: CreateFlags): Promise<PlanScheduleSpec> {
  const { instance = '', plan = '', schedule = '', timeZone, deadline, confirm } = flags;
  const parameters = await readParameters(flags);
  const concurrencyPolicy = oneOf(CONCURRENCY_POLICIES, flags.concurrency, '--concurrency');
  const missedRunPolicy = oneOf(MISSED_RUN_POLICIES, flags.missed, '--missed');
  const seconds = Number(deadline);
  if (deadline !== undefined && !(Number.isInteger(seconds) && seconds >= 0)) {
    throw new TerminalError(`--deadline must be a number of seconds, not "${deadline}"`, 'InvalidArguments');
  }
  return {
    instanceName: instance,
    plan,
    schedule,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(concurrencyPolicy === undefined ? {} : { concurrencyPolicy }),
    ...(missedRunPolicy === undefined ? {} : { missedRunPolicy }),
    ...(deadline === undefined ? {} : { startingDeadlineSeconds: seconds }),
    ...(flags.suspend === true ? { suspend: true } : {}),
    ...(confirm === undefined ? {} : { confirm }),
  };
}

function oneOf<T extends string>(known: readonly T[], given: string | undefined, flag: string): T | undefined {
  if (given === undefined) return undefined;
  const found = known.find((each) => each === given);
  if (found !== undefined) return found;
  throw new TerminalError(`${flag} must be ${known.join(' or ')}, not "${given}"`, 'InvalidArguments');
}

/** `bravo schedule suspend NAME`: no slot counts until it is resumed. */
export function scheduleSuspendCommand(): Command {
  return suspendingCommand('suspend', 'Stop the starts of a schedule; slots meanwhile are not made up for', true);
}

/** `bravo schedule resume NAME`. */
export function scheduleResumeCommand(): Command {
  return suspendingCommand('resume', 'Go on with the starts of a suspended schedule', false);
}

function suspendingCommand(verb: string, description: string, suspend: boolean): Command {
  return new Command(verb)
    .description(description)
    .argument('<name>', 'the schedule')
    .action(async (name: string, _flags: unknown, self: Command) => {
      await withSession(self, async ({ api, namespace, printLine }) => {
        await api.patch({ ...PLAN_SCHEDULES, namespace, name }, 'merge', { spec: { suspend } });
        printLine(`schedule ${namespace}/${name} ${suspend ? 'suspended' : 'resumed'}`);
      });
    });
}

/** `bravo schedule delete NAME`. */
export function scheduleDeleteCommand(): Command {
  return new Command('delete')
    .description('Delete a schedule; the runs that it started stay')
    .argument('<name>', 'the schedule')
    .action(async (name: string, _flags: unknown, self: Command) => {
      await withSession(self, async ({ api, namespace, printLine }) => {
        await api.delete({ ...PLAN_SCHEDULES, namespace, name });
        printLine(`schedule ${namespace}/${name} deleted`);
      });
    });
}
