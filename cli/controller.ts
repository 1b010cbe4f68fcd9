import { Command, InvalidArgumentError } from 'commander';

/** `bravo controller`: executes the plans of a cluster until SIGINT or SIGTERM. */
export function controllerCommand(): Command {
  return new Command('controller')
    .description('Execute the plans of a cluster (alone; npm start runs it beside the console)')
    .option('--install-crds', "install KUDO's three CRDs first, or bring them up to date")
    .option(
      '--lease-namespace <name>',
      'where the lease bravo-controller is kept; the same for all controllers of a cluster',
    )
    .option('--lease-duration <seconds>', 'silence after which another controller takes over (default 15)', seconds)
    .option('--kubeconfig <file>', 'kubeconfig of the cluster')
    .option('--context <name>', 'context of the kubeconfig')
    .action(async (_flags, command: Command) => {
      // Verbs of a client start much faster without the engine's modules.
      const { runControllerProcess } = await import('./run-controller');
      await runControllerProcess(command.optsWithGlobals());
    });
}

/** @throws InvalidArgumentError for what is no whole number from 2 to 3600 */
function seconds(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 2 && value <= 3_600) return value;
  throw new InvalidArgumentError('It must be a whole number from 2 to 3600.');
}
