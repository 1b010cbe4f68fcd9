import { Command } from 'commander';

/** `bravo console`: the same as `npm start`, for a checkout whose pages are built. */
export function consoleCommand(): Command {
  return new Command('console')
    .description('Serve the web console (settings by environment: PORT, BRAVO_DATA, KUBECONFIG …)')
    .action(async (_options, command: Command) => {
      const { kubeconfig, context } = command.optsWithGlobals<{ kubeconfig?: string; context?: string }>();
      if (kubeconfig !== undefined) process.env.KUBECONFIG = kubeconfig;
      if (context !== undefined) process.env.BRAVO_CONTEXT = context;
      // Verbs of a client start much faster without the server's modules.
      const { main } = await import('@/server/main');
      await main({ dev: false });
    });
}
