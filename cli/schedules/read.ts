import { Command } from 'commander';
import { parseTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { nextTimes } from '@/lib/kudo/schedules/next-step';
import { DEFAULT_TIME_ZONE, PLAN_SCHEDULES, type PlanSchedule } from '@/lib/kudo/schedules/plan-schedule';
import { slotsOf } from '@/lib/kudo/schedules/slots';
import { formatMany, formatOne, formatTable, readFormat } from '../support/output';
import { type ClusterSession, withSession } from '../support/session';

interface ListFlags {
  readonly instance?: string;
  readonly allNamespaces?: boolean;
  readonly output?: string;
}

/** `bravo schedule list`. */
export function scheduleListCommand(): Command {
  return new Command('list')
    .description('List schedules of plans')
    .option('--instance <name>', 'schedules of this instance')
    .option('-A, --all-namespaces', 'list the schedules of all namespaces')
    .option('-o, --output <format>', 'yaml, json or name')
    .action(async (flags: ListFlags, self: Command) => {
      const format = flags.output === 'name' ? 'name' : readFormat(flags.output);
      await withSession(self, async (session) => {
        const place = flags.allNamespaces === true ? {} : { namespace: session.namespace };
        const all = (await session.api.list({ ...PLAN_SCHEDULES, ...place })).items as PlanSchedule[];
        const found = all.filter(({ spec }) => flags.instance === undefined || spec?.instanceName === flags.instance);
        if (format === 'name') for (const each of found) session.printLine(nameOf(each));
        else if (format !== undefined) session.printLine(formatMany(found, format));
        else if (found.length === 0) throw new TerminalError('no schedules found', 'NotFound');
        else session.printLine(tableOf(found, session.clock.now(), flags.allNamespaces === true));
      });
    });
}

function tableOf(found: readonly PlanSchedule[], nowMs: number, hasNamespaces: boolean): string {
  const header = ['NAME', 'INSTANCE', 'PLAN', 'SCHEDULE', 'ZONE', 'NEXT', 'LAST', 'MISSED', 'PROBLEM'];
  const rows = found.map((schedule) => {
    const { spec = {}, status = {} } = schedule;
    const lastMs = parseTime(status.lastSlot);
    const cells = [
      nameOf(schedule),
      spec.instanceName ?? '',
      spec.plan ?? '',
      spec.schedule ?? '',
      spec.timeZone ?? DEFAULT_TIME_ZONE,
      spec.suspend === true ? 'suspended' : (nextTimes(spec, nowMs, 1)[0] ?? 'never'),
      lastMs === undefined ? 'never' : `${formatAge(nowMs - lastMs)} ago`,
      String(status.missed ?? 0),
      status.problem ?? '',
    ];
    return hasNamespaces ? [namespaceOf(schedule), ...cells] : cells;
  });
  return formatTable([hasNamespaces ? ['NAMESPACE', ...header] : header, ...rows]);
}

/** `bravo schedule show NAME`. */
export function scheduleShowCommand(): Command {
  return new Command('show')
    .description('Show a schedule: its fields, its next times, and what became of its last slots')
    .argument('<name>', 'the schedule')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (name: string, flags: { readonly output?: string }, self: Command) => {
      const format = readFormat(flags.output);
      await withSession(self, async (session) => {
        const schedule = await requireSchedule(session, name);
        session.printLine(format === undefined ? describe(schedule, session.clock.now()) : formatOne(schedule, format));
      });
    });
}

function describe(schedule: PlanSchedule, nowMs: number): string {
  const { spec = {}, status = {} } = schedule;
  const { timeZone = DEFAULT_TIME_ZONE, missedRunPolicy = 'RunLast' } = spec;
  const parameters = Object.entries(spec.parameters ?? {}).map(([key, value]) => `${key}=${value}`);
  const blackouts = (spec.blackouts ?? []).map(
    ({ start, durationMinutes, timeZone: zone = timeZone }) => `${start} (${zone}), ${durationMinutes} min`,
  );
  const facts: [string, string | undefined][] = [
    ['Schedule', `${namespaceOf(schedule)}/${nameOf(schedule)}`],
    ['Starts', `plan ${spec.plan} of instance ${spec.instanceName}`],
    ['At', `${spec.schedule} (${timeZone})${spec.suspend === true ? ', suspended' : ''}`],
    ['While a plan runs', spec.concurrencyPolicy === 'Wait' ? 'it waits until the next slot' : 'the slot is skipped'],
    ['Missed slots', missedRunPolicy === 'Skip' ? 'are left alone' : 'the last one is made up for'],
    ['Parameters', parameters.join(', ')],
    ['Blackouts', blackouts.join('; ')],
    ['Last slot', status.lastSlot],
    ['Last run', status.lastRun ?? status.lastUid],
    ['Missed', status.missed === undefined ? undefined : String(status.missed)],
    ['Problem', status.problem],
    ['Next', nextTimes(spec, nowMs).join(', ')],
  ];
  const known = facts.filter((fact): fact is [string, string] => (fact[1] ?? '') !== '');
  const history = (status.history ?? []).map(({ slot = '', outcome = '', message = '' }) => [slot, outcome, message]);
  const rows = formatTable(known.map(([what, value]) => [`${what}:`, value]));
  return history.length === 0 ? rows : `${rows}\n\n${formatTable([['SLOT', 'OUTCOME', 'MESSAGE'], ...history])}`;
}

interface NextFlags {
  readonly count?: string;
  readonly output?: string;
}

/** `bravo schedule next NAME`. */
export function scheduleNextCommand(): Command {
  return new Command('next')
    .description('Show the next times of a schedule, in UTC and in its time zone')
    .argument('<name>', 'the schedule')
    .option('--count <number>', 'how many', '5')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (name: string, flags: NextFlags, self: Command) => {
      const format = readFormat(flags.output);
      const count = Number(flags.count);
      if (!Number.isInteger(count) || count < 1 || count > 100) {
        throw new TerminalError(`--count must be a number from 1 to 100, not "${flags.count}"`, 'InvalidArguments');
      }
      await withSession(self, async (session) => {
        const { spec = {} } = await requireSchedule(session, name);
        const problem = slotsOf(spec);
        if (typeof problem === 'string') throw new TerminalError(problem, 'InvalidSchedule');
        if (spec.suspend === true) throw new TerminalError(`schedule ${name} is suspended`, 'Suspended');
        const times = nextTimes(spec, session.clock.now(), count);
        if (format !== undefined) session.printLine(formatOne(times, format));
        else session.printLine(formatTable(times.map((time) => [time, localTime(time, spec.timeZone)])));
      });
    });
}

/** `2026-11-24 02:30 GMT+1`. */
function localTime(time: string, timeZone = DEFAULT_TIME_ZONE): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return format.format(parseTime(time));
}

/** @throws TerminalError when it does not exist */
export async function requireSchedule({ api, namespace }: ClusterSession, name: string): Promise<PlanSchedule> {
  const found = (await api.get({ ...PLAN_SCHEDULES, namespace, name })) as PlanSchedule | undefined;
  if (found !== undefined) return found;
  throw new TerminalError(`schedule ${namespace}/${name} does not exist`, 'NotFound');
}
