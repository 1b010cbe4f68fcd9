import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { Bundle } from './diagnostics/bundle';
import { collectInstance } from './diagnostics/collect-instance';
import { collectSystem } from './diagnostics/collect-system';
import { readLogSince } from './diagnostics/log-since';
import { readRedactor } from './diagnostics/secret-values';
import { type HomeFlags, homeFolder } from './support/home';
import { type ClusterSession, withSession } from './support/session';
import { clientVersion } from './version';

/** `bravo diagnostics collect`: writes the objects, events and logs of an Instance into a folder, in KUDO's layout. */
export function diagnosticsCommand(): Command {
  return new Command('diagnostics')
    .description('Collect the objects, events and logs of an instance')
    .addCommand(collectCommand());
}

interface CollectFlags extends HomeFlags {
  readonly instance?: string;
  readonly outputDirectory?: string;
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
    .option('--log-since <duration>', 'collect only the log lines of this last period, such as 90s or 1h30m')
    .action(async (_words: string[], _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<CollectFlags>();
      const sinceSeconds = readLogSince(flags.logSince);
      const folder = flags.outputDirectory ?? 'diag';
      if (await exists(folder)) throw new TerminalError(`target directory ${folder} already exists`, 'AlreadyExists');
      await withSession(self, async (session) =>
        collect(session, flags, new Bundle(resolve(folder), await readRedactor(session)), sinceSeconds),
      );
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
  await attempt(() => collectInstance({ session, bundle, sinceSeconds }, flags.instance ?? ''));
  await attempt(() => collectSystem({ session, bundle, sinceSeconds }));
  failures.push(...bundle.failures);
  if (failures.length > 0) throw new TerminalError(failures.join('\n'), 'DiagnosticsIncomplete');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
