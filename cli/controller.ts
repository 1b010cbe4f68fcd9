import { Command } from 'commander';

/** `bravo controller`: executes the plans of a cluster until SIGINT or SIGTERM. */
export function controllerCommand(): Command {
  return new Command('controller')
    .description('Execute the plans of a cluster (alone; npm start runs it beside the console)')
    .option('--install-crds', "install KUDO's three CRDs first, or bring them up to date")
    .option(
      '--lease-namespace <name>',
      'where the lease bravo-controller is kept; the same for all controllers of a cluster',
    )
    .option('--kubeconfig <file>', 'kubeconfig of the cluster')
    .option('--context <name>', 'context of the kubeconfig')
    .action(async (_flags, command: Command) => {
      // Verbs of a client start much faster without the engine's modules.
      const { runControllerProcess } = await import('./run-controller');
      await runControllerProcess(command.optsWithGlobals());
    });
}
