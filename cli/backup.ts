import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { backupsOf } from '@/lib/kudo/runs/backups';
import { bytesText } from '@/lib/kudo/view/bytes-text';
import { restoreCommand } from './backups/restore';
import { listRuns } from './runs/find-run';
import { requireInstance } from './support/instances';
import { formatMany, formatTable, readNameFormat } from './support/output';
import { withSession } from './support/session';

interface BackupFlags {
  readonly instance?: string;
  readonly output?: string;
}

/** `bravo backup list|restore`. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Show the backups of an instance, and restore one')
    .addCommand(listCommand())
    .addCommand(restoreCommand());
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
        const { uid } = (await requireInstance(session, name)).metadata;
        const runs = await listRuns(session, session.namespace);
        const backups = backupsOf(runs.filter(({ spec }) => spec?.instanceUid === uid));
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
      });
    });
}

/** As programs read it. */
function withWords({ isVerified, ...backup }: ReturnType<typeof backupsOf>[number]) {
  return { ...backup, verified: isVerified };
}
