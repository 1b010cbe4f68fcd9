import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { windowState } from '@/lib/kudo/upgrades/maintenance-window';
import type { MaintenanceWindow, OperatorUpgradeSpec } from '@/lib/kudo/upgrades/operator-upgrade';
import { startUpgrade } from '@/server/upgrades/start-upgrade';
import { packageSource } from '../support/packages';
import { readParameters } from '../support/parameter-flags';
import { type ClusterSession, withSession } from '../support/session';
import { warnIfNoController } from '../support/warn-if-no-controller';
import { chosenInstances } from './chosen-instances';
import { type PlanFlags, withWishFlags } from './plan';

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
  const { api, clock, namespace, printLine } = session;
  const { to, channel, reason, confirm, name } = flags;
  const wish = { to, channel, parameters: await readParameters(flags) };
  const said = { ...(reason === undefined ? {} : { reason }), ...(confirm === undefined ? {} : { confirm }) };
  const instances = await chosenInstances(session, names, flags);
  const source = await packageSource(flags);
  const request = { namespace, instances, wish, waves: { ...waves, ...said }, name };
  const started = await startUpgrade({ api, clock, source }, request);
  await warnIfNoController(session, { apiVersion: '', kind: 'OperatorUpgrade', metadata: {} });
  if (started === undefined) printLine('every instance has the newest version');
  else
    printLine(
      `upgrade ${namespace}/${started.name} created: ${started.instances.length} instances to ${started.target}`,
    );
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
