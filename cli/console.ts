import { Command } from 'commander';

/** `bravo console`: the same as `npm start`. */
export function consoleCommand(): Command {
  return new Command('console')
    .description('Serve the web console (settings by environment: PORT, BRAVO_DATA, KUBECONFIG …)')
    .action(async (_options, command: Command) => {
      const { kubeconfig, context } = command.optsWithGlobals<{ kubeconfig?: string; context?: string }>();
      if (kubeconfig !== undefined) process.env.KUBECONFIG = kubeconfig;
      if (context !== undefined) process.env.BRAVO_CONTEXT = context;
      // Other verbs start much faster without the modules of the server.
      const { main } = await import('@/server/main');
      await main({ dev: false });
    });
}
