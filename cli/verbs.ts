import { Command } from 'commander';
import { approvalCommand } from './approval';
import { backupCommand } from './backup';
import { consoleCommand } from './console';
import { controllerCommand } from './controller';
import { diagnosticsCommand } from './diagnostics';
import { getCommand } from './get';
import { initCommand } from './init';
import { installCommand } from './install';
import { lockCommand, unlockCommand } from './lock';
import { noticesCommand } from './notices';
import { packageCommand } from './package';
import { planCommand } from './plan';
import { pruneCommand } from './prune';
import { repoCommand } from './repo';
import { runCommand } from './run';
import { scheduleCommand } from './schedule';
import { searchCommand } from './search';
import { templateCommand } from './template';
import { testCommand } from './test';
import { uninstallCommand } from './uninstall';
import { updateCommand } from './update';
import { upgradeCommand } from './upgrade';
import { usageCommand } from './usage';
import { versionCommand } from './version';

/** Every verb, in the order of the help. */
export function verbs(): Command[] {
  return [
    consoleCommand(),
    controllerCommand(),
    sandboxCommand(),
    initCommand(),
    installCommand(),
    updateCommand(),
    upgradeCommand(),
    uninstallCommand(),
    getCommand(),
    planCommand(),
    runCommand(),
    backupCommand(),
    scheduleCommand(),
    lockCommand(),
    unlockCommand(),
    noticesCommand(),
    approvalCommand(),
    pruneCommand(),
    packageCommand(),
    repoCommand(),
    searchCommand(),
    templateCommand(),
    diagnosticsCommand(),
    usageCommand(),
    testCommand(),
    versionCommand(),
  ];
}

/** The sandbox parses its own flags: they are like those of kube-apiserver. */
function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('Serve the embedded Kubernetes API alone, as empty as a new cluster')
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .argument('[options...]')
    .action(async (words: string[]) => {
      const { runSandbox } = await import('./sandbox');
      process.exitCode = await runSandbox(words);
    });
}
