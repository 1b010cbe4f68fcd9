import { Command } from 'commander';

/** A verb: its module is loaded when it is used, or shown in the help, because the modules of all verbs take most of the time of a start. */
interface Verb {
  readonly name: string;
  load(): Promise<Command>;
}

/** Every verb, in the order of the help. */
const VERBS: readonly Verb[] = [
  { name: 'console', load: async () => (await import('./console')).consoleCommand() },
  { name: 'controller', load: async () => (await import('./controller')).controllerCommand() },
  { name: 'sandbox', load: async () => sandboxCommand() },
  { name: 'init', load: async () => (await import('./init')).initCommand() },
  { name: 'install', load: async () => (await import('./install')).installCommand() },
  { name: 'update', load: async () => (await import('./update')).updateCommand() },
  { name: 'upgrade', load: async () => (await import('./upgrade')).upgradeCommand() },
  { name: 'upgrades', load: async () => (await import('./upgrades')).upgradesCommand() },
  { name: 'subscriptions', load: async () => (await import('./subscriptions')).subscriptionsCommand() },
  { name: 'uninstall', load: async () => (await import('./uninstall')).uninstallCommand() },
  { name: 'get', load: async () => (await import('./get')).getCommand() },
  { name: 'plan', load: async () => (await import('./plan')).planCommand() },
  { name: 'run', load: async () => (await import('./run')).runCommand() },
  { name: 'backup', load: async () => (await import('./backup')).backupCommand() },
  { name: 'schedule', load: async () => (await import('./schedule')).scheduleCommand() },
  { name: 'lock', load: async () => (await import('./lock')).lockCommand() },
  { name: 'unlock', load: async () => (await import('./lock')).unlockCommand() },
  { name: 'notices', load: async () => (await import('./notices')).noticesCommand() },
  { name: 'approval', load: async () => (await import('./approval')).approvalCommand() },
  { name: 'prune', load: async () => (await import('./prune')).pruneCommand() },
  { name: 'package', load: async () => (await import('./package')).packageCommand() },
  { name: 'push', load: async () => (await import('./push')).pushCommand() },
  { name: 'pull', load: async () => (await import('./pull')).pullCommand() },
  { name: 'repo', load: async () => (await import('./repo')).repoCommand() },
  { name: 'search', load: async () => (await import('./search')).searchCommand() },
  { name: 'template', load: async () => (await import('./template')).templateCommand() },
  { name: 'diagnostics', load: async () => (await import('./diagnostics')).diagnosticsCommand() },
  { name: 'usage', load: async () => (await import('./usage')).usageCommand() },
  { name: 'test', load: async () => (await import('./test')).testCommand() },
  { name: 'version', load: async () => (await import('./version')).versionCommand() },
];

/** The command of a verb alone; every command, in the order of the help, for a word that is no verb. */
export function loadVerbs(verb: string): Promise<Command[]> {
  const wanted = VERBS.filter(({ name }) => name === verb);
  return Promise.all((wanted.length > 0 ? wanted : VERBS).map((each) => each.load()));
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
