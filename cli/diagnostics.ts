import { stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { Bundle } from '@/server/diagnostics/bundle';
import { collectArchive } from '@/server/diagnostics/collect-archive';
import { collectInstance } from '@/server/diagnostics/collect-instance';
import { collectSystem } from '@/server/diagnostics/collect-system';
import { readRedactor } from '@/server/diagnostics/secret-values';
import type { DiagnosticsSource } from '@/server/diagnostics/source';
import { writeToFolder } from '@/server/diagnostics/write-folder';
import { readLogSince } from './diagnostics/log-since';
import { showDiagnosticsCommand } from './diagnostics/show';
import { type HomeFlags, homeFolder } from './support/home';
import { type ClusterSession, withSession } from './support/session';
import { clientVersion } from './version';

/** `bravo diagnostics collect|show`: the objects, events, logs and runs of an Instance, in a folder of KUDO's layout or in one archive. */
export function diagnosticsCommand(): Command {
  return new Command('diagnostics')
    .description('Collect the objects, events, logs and runs of an instance, and show what was collected')
    .addCommand(collectCommand())
    .addCommand(showDiagnosticsCommand());
}

interface CollectFlags extends HomeFlags {
  readonly instance?: string;
  readonly outputDirectory?: string;
  readonly archive?: string | boolean;
  readonly logSince?: string;
  readonly kubeconfig?: string;
  readonly requestTimeout?: string;
  readonly validateInstall?: string;
}

function collectCommand(): Command {
  return new Command('collect')
    .description(
      'Write the objects, events and logs of an instance, its children and the controller into a folder; secret values are masked',
    )
    .argument('[arguments...]')
    .requiredOption('--instance <name>', 'the instance')
    .option('-O, --output-directory <folder>', 'the folder; it must not exist', 'diag')
    .option('--archive [file]', 'write one .tgz, with the records of runs too (default: diagnostics-INSTANCE.tgz)')
    .option('--log-since <duration>', 'collect only the log lines of this last period, such as 90s or 1h30m')
    .action(async (_words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<CollectFlags>();
      const sinceSeconds = readLogSince(flags.logSince);
      if (flags.archive !== undefined) return collectIntoArchive(self, flags, sinceSeconds);
      const folder = flags.outputDirectory ?? 'diag';
      if (await exists(folder)) throw new TerminalError(`target directory ${folder} already exists`, 'AlreadyExists');
      await withSession(self, async (session) => {
        const bundle = new Bundle(writeToFolder(resolve(folder)), await readRedactor(sourceOf(session)));
        await collect(session, flags, bundle, sinceSeconds);
      });
    });
}

function sourceOf(session: ClusterSession): DiagnosticsSource {
  return { ...session, warn: (line) => void process.stderr.write(`Warning: ${line}\n`) };
}

async function collectIntoArchive(self: Command, flags: CollectFlags, sinceSeconds: number | undefined): Promise<void> {
  const instance = flags.instance ?? '';
  const file = typeof flags.archive === 'string' ? flags.archive : `diagnostics-${instance}.tgz`;
  if (await exists(file)) throw new TerminalError(`target file ${file} already exists`, 'AlreadyExists');
  await withSession(self, async (session) => {
    const { bytes, warnings } = await collectArchive(sourceOf(session), { instance, sinceSeconds });
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
    for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
    session.printLine(`The archive is ${file}. bravo diagnostics show ${file} reads it.`);
  });
}

async function collect(
  session: ClusterSession,
  flags: CollectFlags,
  bundle: Bundle,
  sinceSeconds: number | undefined,
): Promise<void> {
  const failures: string[] = [];
  const attempt = async (part: () => Promise<void>): Promise<void> => {
    await part().catch((error: unknown) => {
      failures.push(messageOf(error));
    });
  };
  const { gitVersion = '', gitCommit = '', platform = '' } = clientVersion();
  await bundle.writeYaml('version.yaml', { gitversion: gitVersion, gitcommit: gitCommit, platform });
  await bundle.writeYaml('settings.yaml', {
    home: homeFolder(flags),
    kubeconfig: flags.kubeconfig ?? process.env.KUBECONFIG ?? '',
    namespace: session.namespace,
    requesttimeout: Number(flags.requestTimeout ?? '0'),
    validate: flags.validateInstall !== 'false',
  });
  const context = { session: sourceOf(session), bundle, sinceSeconds };
  await attempt(() => collectInstance(context, flags.instance ?? ''));
  await attempt(() => collectSystem(context));
  failures.push(...bundle.failures);
  if (failures.length > 0) throw new TerminalError(failures.join('\n'), 'DiagnosticsIncomplete');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
