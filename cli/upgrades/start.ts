import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { windowState } from '@/lib/kudo/upgrades/maintenance-window';
import type { MaintenanceWindow, OperatorUpgradeSpec } from '@/lib/kudo/upgrades/operator-upgrade';
import type { UpgradePlan } from '@/lib/kudo/upgrades/upgrade-plan';
import { isBlocked } from '@/lib/kudo/upgrades/upgrade-plan';
import { installSteps, stepVersions } from '@/server/upgrades/step-versions';
import { packageSource } from '../support/packages';
import { readParameters } from '../support/parameter-flags';
import { type ClusterSession, withSession } from '../support/session';
import { writeOrWarn } from '../support/warn-if-no-controller';
import { type PlanFlags, planAll, printPlans, withWishFlags } from './plan';
import { createUpgrade } from './upgrade-object';

export interface WaveFlags {
  readonly waveSize?: string;
  readonly pauseOnFailure?: boolean;
  readonly rollBackWave?: boolean;
  readonly window?: string;
  readonly windowMinutes?: string;
  readonly timeZone?: string;
  readonly timeout?: string;
}

interface StartFlags extends PlanFlags, WaveFlags {
  readonly name?: string;
  readonly reason?: string;
  readonly confirm?: string;
}

/** Options of waves. */
export function withWaveFlags(command: Command): Command {
  return command
    .option('--wave-size <number>', 'instances at once', '1')
    .option('--pause-on-failure', 'let a person decide after a failure (default)')
    .option('--no-pause-on-failure', 'go on with the next wave after a failure')
    .option('--roll-back-wave', 'move a wave with a failure back to the version and values from before')
    .option('--window <cron>', 'start moves in a maintenance window only, which begins at the times of this expression')
    .option('--window-minutes <number>', 'how long the window is open', '60')
    .option('--time-zone <name>', 'time zone of the window', 'UTC')
    .option('--timeout <minutes>', 'a plan that takes longer counts as failed', '60');
}

/** `bravo upgrades start [INSTANCE...]`. */
export function upgradesStartCommand(): Command {
  const command = new Command('start')
    .description('Upgrade instances in waves; the controller moves them')
    .argument('[instance...]', 'the instances, in the order of the waves')
    .option('--name <name>', 'name of the upgrade')
    .option('--reason <text>', 'why, for the records of the runs')
    .option('--confirm <operator>', 'the name of the operator: confirms plans that delete or replace data');
  return withWaveFlags(withWishFlags(command)).action(async (names: string[], _flags: unknown, self: Command) => {
    const flags = self.optsWithGlobals<StartFlags>();
    const waves = waveSpec(flags);
    await withSession(self, (session) => start(session, names, flags, waves));
  });
}

async function start(
  session: ClusterSession,
  names: readonly string[],
  flags: StartFlags,
  waves: Partial<OperatorUpgradeSpec>,
): Promise<void> {
  const plans = (await planAll(session, names, flags)).filter(
    ({ steps, checks }) => steps.length > 0 || isBlocked({ checks }),
  );
  const [first] = plans;
  if (first === undefined) {
    session.printLine('every instance has the newest version');
    return;
  }
  const operators = new Set(plans.map(({ operator }) => operator));
  if (operators.size > 1) {
    const message = `the instances belong to several operators, ${[...operators].join(', ')}: choose one with --operator`;
    throw new TerminalError(message, 'InvalidArguments');
  }
  const stuck = plans.filter(({ steps }) => steps.length === 0);
  if (stuck.length > 0) {
    printPlans(session, stuck);
    throw new TerminalError(`${stuck.length} of the instances cannot be upgraded`, 'NotUpgradable');
  }
  const path = longestPath(plans);
  const context = {
    api: session.api,
    source: await packageSource(flags),
    namespace: session.namespace,
    operator: first.operator,
  };
  await installSteps(session.api, await stepVersions(context, path));
  const parameters = await readParameters(flags);
  const spec: OperatorUpgradeSpec = {
    operator: first.operator,
    instances: plans.map(({ instance }) => instance),
    path: path.map(({ name }) => name),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...waves,
    ...(flags.reason === undefined ? {} : { reason: flags.reason }),
    ...(flags.confirm === undefined ? {} : { confirm: flags.confirm }),
  };
  const { metadata } = await writeOrWarn(session, () => createUpgrade(session, flags.name, spec));
  session.printLine(
    `upgrade ${session.namespace}/${metadata.name ?? ''} created: ${plans.length} instances to ${path.at(-1)?.name ?? ''}`,
  );
}

/**
 * The path of all Instances: that of the one that is furthest behind. An Instance begins after the version that it has.
 *
 * @throws TerminalError when the ways differ, so that they need upgrades of their own
 */
export function longestPath(plans: readonly UpgradePlan[]): UpgradePlan['steps'] {
  const [longest = []] = plans.map(({ steps }) => steps).sort((a, b) => b.length - a.length);
  const names = longest.map(({ name }) => name);
  const other = plans.find(({ steps, installed }) => {
    const own = steps.map(({ name }) => name);
    const isEnd = names.slice(names.length - own.length).join() === own.join();
    // An Instance that has none of the versions of the path begins at its first one.
    return !isEnd || (own.length < names.length && installed.name !== names[names.length - own.length - 1]);
  });
  if (other === undefined) return longest;
  const message = `instance ${other.instance} takes another way to the version than the others: upgrade it by itself`;
  throw new TerminalError(message, 'InvalidArguments');
}

/** The fields of waves. @throws TerminalError for a value that is none */
export function waveSpec(
  flags: WaveFlags,
): Pick<OperatorUpgradeSpec, 'waveSize' | 'pauseOnFailure' | 'rollBackWave' | 'window' | 'instanceTimeoutMinutes'> {
  const window = windowOf(flags);
  return {
    waveSize: whole(flags.waveSize, '--wave-size'),
    instanceTimeoutMinutes: whole(flags.timeout, '--timeout'),
    ...(flags.pauseOnFailure === false ? { pauseOnFailure: false } : {}),
    ...(flags.rollBackWave === true ? { rollBackWave: true } : {}),
    ...(window === undefined ? {} : { window }),
  };
}

function windowOf({ window: start, windowMinutes, timeZone = 'UTC' }: WaveFlags): MaintenanceWindow | undefined {
  if (start === undefined) return undefined;
  const window = { start, durationMinutes: whole(windowMinutes, '--window-minutes'), timeZone };
  const state = windowState(window, 0);
  if (typeof state === 'string') throw new TerminalError(state, 'InvalidArguments');
  return window;
}

function whole(text: string | undefined, flag: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new TerminalError(`${flag} must be a whole number from 1 on, not "${text ?? ''}"`, 'InvalidArguments');
}
