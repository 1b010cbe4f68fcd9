import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { backupsOf } from '@/lib/kudo/runs/backups';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import { backupGoalOf, backupHealth, goalWords } from '@/lib/kudo/schedules/backup-health';
import type { Instance } from '@/lib/kudo/types';
import { bytesText } from '@/lib/kudo/view/bytes-text';
import { deleteCommand, restoreCommand } from './backups/start-backup-plan';
import { listRuns } from './runs/find-run';
import { getOperatorVersion, requireInstance } from './support/instances';
import { formatMany, formatTable, readNameFormat } from './support/output';
import { type ClusterSession, withSession } from './support/session';

interface BackupFlags {
  readonly instance?: string;
  readonly output?: string;
}

/** `bravo backup list|restore|delete`. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Show the backups of an instance, and restore or delete one')
    .addCommand(listCommand())
    .addCommand(restoreCommand())
    .addCommand(deleteCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List the backups of an instance, the last one first')
    .option('--instance <name>', 'the instance')
    .option('-o, --output <format>', 'yaml, json or name')
    .action(async (flags: BackupFlags, self: Command) => {
      const name = flags.instance ?? '';
      if (name === '') {
        throw new TerminalError("please choose the instance with '--instance=<instanceName>'", 'InvalidArguments');
      }
      const format = readNameFormat(flags.output);
      await withSession(self, async (session) => {
        const instance = await requireInstance(session, name);
        const all = await listRuns(session, session.namespace);
        const runs = all.filter(({ spec }) => spec?.instanceUid === instance.metadata.uid);
        const backups = backupsOf(runs);
        if (format === 'name') for (const backup of backups) session.printLine(backup.name);
        else if (format !== undefined) session.printLine(formatMany(backups.map(withWords), format));
        else if (backups.length === 0)
          session.printLine(`No run of instance ${session.namespace}/${name} has made a backup.`);
        else {
          const rows = backups.map(({ name: backup, size, createdAt, target = '', isVerified, run }) => {
            return [
              backup,
              size === undefined ? '' : bytesText(size),
              createdAt,
              target,
              isVerified ? 'yes' : 'no',
              run,
            ];
          });
          session.printLine(formatTable([['NAME', 'SIZE', 'CREATED', 'TARGET', 'VERIFIED', 'RUN'], ...rows]));
        }
        const verdict = format === undefined ? await verdictOf(session, instance, runs) : undefined;
        if (verdict !== undefined) session.printLine(verdict);
      });
    });
}

/** Whether the goal of the Instance's backups is met, in a line; undefined without a goal. */
async function verdictOf(
  session: ClusterSession,
  instance: Instance,
  runs: readonly PlanRun[],
): Promise<string | undefined> {
  const goalMs = backupGoalOf(instance, await getOperatorVersion(session, instance));
  if (goalMs === undefined) return undefined;
  const instanceCreatedAt = instance.metadata.creationTimestamp;
  const health = backupHealth({ runs, goalMs, instanceCreatedAt, nowMs: session.clock.now() });
  return `${goalWords(health)}: ${health.message}`;
}

/** As programs read it. */
function withWords({ isVerified, ...backup }: ReturnType<typeof backupsOf>[number]) {
  return { ...backup, verified: isVerified };
}
