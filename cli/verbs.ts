import { Command } from 'commander';

/** A verb: its module is loaded when it is used, because the modules of all verbs take most of the time of a start. */
interface Verb {
  readonly name: string;
  /** Options and arguments, and what the verb does, as its command says (`main.test.ts`). */
  readonly usage: string;
  readonly description: string;
  load(): Promise<Command>;
}

/** Every verb, in the order of the help. */
const VERBS: readonly Verb[] = [
  {
    name: 'console',
    usage: '',
    description: 'Serve the web console (settings by environment: PORT, BRAVO_DATA, KUBECONFIG …)',
    load: async () => (await import('./console')).consoleCommand(),
  },
  {
    name: 'controller',
    usage: '[options]',
    description: 'Run the plans of a cluster (npm start runs the controller beside the console)',
    load: async () => (await import('./controller')).controllerCommand(),
  },
  {
    name: 'sandbox',
    usage: '[options...]',
    description: 'Serve the embedded Kubernetes API alone, as empty as a new cluster',
    load: async () => sandboxCommand(),
  },
  {
    name: 'init',
    usage: '[options] [arguments...]',
    description:
      'Prepare a cluster and this client: CRDs, namespace, accounts, controller, console, and the list of repositories',
    load: async () => (await import('./init')).initCommand(),
  },
  {
    name: 'install',
    usage: '[options] [package...]',
    description: 'Install a package: a folder, a .tgz file, the http, https or oci address of one, or a name',
    load: async () => (await import('./install')).installCommand(),
  },
  {
    name: 'update',
    usage: '[options] [arguments...]',
    description: 'Change parameters of an instance',
    load: async () => (await import('./update')).updateCommand(),
  },
  {
    name: 'upgrade',
    usage: '[options] [package...]',
    description: 'Move an instance to a newer version of its operator',
    load: async () => (await import('./upgrade')).upgradeCommand(),
  },
  {
    name: 'upgrades',
    usage: '[arguments...]',
    description: 'Plan upgrades of instances, and run them in waves',
    load: async () => (await import('./upgrades')).upgradesCommand(),
  },
  {
    name: 'subscriptions',
    usage: '[arguments...]',
    description: 'Follow channels of repositories, and upgrade instances',
    load: async () => (await import('./subscriptions')).subscriptionsCommand(),
  },
  {
    name: 'uninstall',
    usage: '[options] [arguments...]',
    description: 'Delete an instance; its cleanup plan runs first',
    load: async () => (await import('./uninstall')).uninstallCommand(),
  },
  {
    name: 'get',
    usage: '[options] [kind...]',
    description: 'List instances, operators, operator versions, or all of them',
    load: async () => (await import('./get')).getCommand(),
  },
  {
    name: 'plan',
    usage: '[arguments...]',
    description: 'Show, start and wait for plans of an instance',
    load: async () => (await import('./plan')).planCommand(),
  },
  {
    name: 'run',
    usage: '[arguments...]',
    description: 'Show, explain, compare, steer, repeat and undo runs of plans',
    load: async () => (await import('./run')).runCommand(),
  },
  {
    name: 'backup',
    usage: '[arguments...]',
    description: 'Show the backups of an instance, and restore or delete one',
    load: async () => (await import('./backup')).backupCommand(),
  },
  {
    name: 'schedule',
    usage: '[arguments...]',
    description: 'Start plans of instances at set times',
    load: async () => (await import('./schedule')).scheduleCommand(),
  },
  {
    name: 'lock',
    usage: '[options] [name]',
    description: 'Let no plan of an instance start until a time; what runs goes on',
    load: async () => (await import('./lock')).lockCommand(),
  },
  {
    name: 'unlock',
    usage: '[options] [name]',
    description: 'Let plans of an instance start again',
    load: async () => (await import('./lock')).unlockCommand(),
  },
  {
    name: 'notices',
    usage: '[arguments...]',
    description: 'Show who is told of the results of runs, and test it',
    load: async () => (await import('./notices')).noticesCommand(),
  },
  {
    name: 'approval',
    usage: '[arguments...]',
    description: 'Show and decide requests to start plans that need a second person',
    load: async () => (await import('./approval')).approvalCommand(),
  },
  {
    name: 'prune',
    usage: '[options]',
    description: 'Delete objects of an instance that no template renders any more',
    load: async () => (await import('./prune')).pruneCommand(),
  },
  {
    name: 'package',
    usage: '[arguments...]',
    description: 'Create, extend, verify, pack, list, publish and sign packages',
    load: async () => (await import('./package')).packageCommand(),
  },
  {
    name: 'push',
    usage: '[options] [package and reference...]',
    description: 'Verify a package, and store it in an OCI registry',
    load: async () => (await import('./push')).pushCommand(),
  },
  {
    name: 'pull',
    usage: '[options] [reference...]',
    description: 'Get a package out of an OCI registry, as a .tgz file',
    load: async () => (await import('./pull')).pullCommand(),
  },
  {
    name: 'repo',
    usage: '[arguments...]',
    description: 'Manage the list of package repositories; index, serve and mirror repositories',
    load: async () => (await import('./repo')).repoCommand(),
  },
  {
    name: 'search',
    usage: '[options] [text...]',
    description: 'Search packages by a part of their name',
    load: async () => (await import('./search')).searchCommand(),
  },
  {
    name: 'template',
    usage: '[options] [package...]',
    description: 'Print the objects of every plan and step of a package, without a cluster',
    load: async () => (await import('./template')).templateCommand(),
  },
  {
    name: 'diagnostics',
    usage: '[arguments...]',
    description: 'Collect the objects, events, logs and runs of an instance, and show what was collected',
    load: async () => (await import('./diagnostics')).diagnosticsCommand(),
  },
  {
    name: 'usage',
    usage: '[options]',
    description: 'Show the hours of instances, and the units that operators meter, by namespace, operator and month',
    load: async () => (await import('./usage')).usageCommand(),
  },
  {
    name: 'test',
    usage: '[options] [paths...]',
    description: 'Run KUTTL test suites: folders of cases, or the file of a TestSuite',
    load: async () => (await import('./test')).testCommand(),
  },
  {
    name: 'version',
    usage: '[options] [arguments...]',
    description: 'Print the version of this program',
    load: async () => (await import('./version')).versionCommand(),
  },
];

/** The command of a verb alone; when no word is one, what the help says of all of them. Every command when that is not sure, in the order of the help. */
export function loadVerbs(verb: string, argv: readonly string[]): Promise<Command[]> {
  const wanted = VERBS.filter(({ name }) => name === verb);
  if (wanted.length === 0 && !VERBS.some(({ name }) => argv.includes(name)))
    return Promise.resolve(VERBS.map(outlineOf));
  return Promise.all((wanted.length > 0 ? wanted : VERBS).map((each) => each.load()));
}

/** A command that the help lists, without its module. */
function outlineOf({ name, usage, description }: Verb): Command {
  const words = usage.replace('[options]', '').trim();
  const outline = new Command(name).description(description);
  if (usage.startsWith('[options]')) outline.option('--options');
  return words === '' ? outline : outline.argument(words);
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
