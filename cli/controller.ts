import { Command, InvalidArgumentError } from 'commander';

/** `bravo controller`: runs the plans of a cluster until SIGINT or SIGTERM. */
export function controllerCommand(): Command {
  return new Command('controller')
    .description('Run the plans of a cluster (npm start runs the controller beside the console)')
    .option('--install-crds', 'install or update the CRDs of KUDO and Bravo first')
    .option(
      '--lease-namespace <name>',
      'namespace of the lease bravo-controller; the same for all controllers of a cluster',
    )
    .option(
      '--lease-duration <seconds>',
      'another controller takes over when the leader was silent for this time (default 15)',
      seconds,
    )
    .option('--kubeconfig <file>', 'kubeconfig of the cluster')
    .option('--context <name>', 'context of the kubeconfig')
    .action(async (_flags, command: Command) => {
      // Other verbs start much faster without the modules of the engine.
      const { runControllerProcess } = await import('./run-controller');
      await runControllerProcess(command.optsWithGlobals());
    });
}

/** @throws InvalidArgumentError for anything but a whole number from 2 to 3600 */
function seconds(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 2 && value <= 3_600) return value;
  throw new InvalidArgumentError('It must be a whole number from 2 to 3600.');
}
