import { Command } from 'commander';
import { formatMany, formatTable, readFormat } from '../support/output';
import { withSession } from '../support/session';
import { readNotices, shownNotice } from './read-notices';

interface ListFlags {
  readonly allNamespaces?: boolean;
  readonly leaseNamespace: string;
  readonly output?: string;
}

/** `bravo notices list`: wrong ones too, each with what is wrong, on standard error. */
export function noticesListCommand(): Command {
  return new Command('list')
    .description('List notices, with the host and not the URL that they go to')
    .option('-A, --all-namespaces', 'list the notices of all namespaces')
    .option('--lease-namespace <name>', 'namespace of the controller, whose notices may be about others', 'default')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (flags: ListFlags, self: Command) => {
      const format = readFormat(flags.output);
      await withSession(self, async (session) => {
        const namespace = flags.allNamespaces === true ? undefined : session.namespace;
        const read = await readNotices(session, namespace, flags.leaseNamespace);
        const shown = read.flatMap(({ source, notices }) => notices.map((notice) => shownNotice(source, notice)));
        if (format !== undefined) session.printLine(formatMany(shown, format));
        else if (shown.length > 0) session.printLine(tableOf(shown));
        else session.printLine('No notices are configured.');
        for (const problem of read.flatMap(({ problems }) => problems)) process.stderr.write(`${problem}\n`);
      });
    });
}

function tableOf(shown: readonly ReturnType<typeof shownNotice>[]): string {
  const header = ['NAME', 'FROM', 'FORMAT', 'HOST', 'SIGNED', 'PLANS', 'RESULTS', 'INSTANCES', 'NAMESPACES'];
  const rows = shown.map(({ name, from, format, host, signed, plans, results, matchLabels, namespaces }) => [
    name,
    from,
    format,
    host,
    signed ? 'yes' : 'no',
    plans.length === 0 ? 'all' : plans.join(','),
    results.join(','),
    Object.entries(matchLabels)
      .map(([label, value]) => `${label}=${value}`)
      .join(',') || 'all',
    namespaces.join(','),
  ]);
  return formatTable([header, ...rows]);
}
