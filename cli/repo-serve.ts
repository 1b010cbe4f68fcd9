import { resolve } from 'node:path';
import { Command } from 'commander';
import { systemClock } from '@/lib/clock/clock';
import { TerminalError } from '@/lib/errors/errors';
import { serveRepository } from '@/server/packages/serve-repository';
import { printLine } from './support/print-line';

interface ServeFlags {
  readonly address: string;
  readonly port: string;
  readonly allowHost?: string[];
}

/** `bravo repo serve [FOLDER]`: serves a folder as a repository until it is interrupted. */
export function repoServeCommand(): Command {
  return new Command('serve')
    .description('Serve a folder of packages as a repository over HTTP, for reading only')
    .argument('[folder]', 'the folder', '.')
    .option('--address <address>', 'address to listen at', '127.0.0.1')
    .option('--port <port>', 'port to listen at; 0: any free one', '8879')
    .option('--allow-host <name...>', 'names by which clients may ask for it, besides the address')
    .action(async (folder: string, { address, port, allowHost = [] }: ServeFlags) => {
      if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
        throw new TerminalError(`--port ${port} is not a port`, 'InvalidArguments');
      }
      const served = await serveRepository({
        folder: resolve(folder),
        address,
        port: Number(port),
        hosts: allowHost.map((name) => name.toLowerCase()),
        clock: systemClock,
        onAnswer: (method, path, status) => process.stderr.write(`${status} ${method} ${JSON.stringify(path)}\n`),
      });
      printLine(`Serving ${resolve(folder)} at ${served.url}. Add it with: bravo repo add NAME ${served.url}`);
      await new Promise<void>((end) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end());
      });
      await served.stop();
    });
}
