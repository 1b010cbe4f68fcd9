import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { OPERATOR_UPGRADES, type OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import { formatMany, formatOne, formatTable, readFormat } from '../support/output';
import { withSession } from '../support/session';
import { requireUpgrade } from './upgrade-object';

/** `bravo upgrades list`. */
export function upgradesListCommand(): Command {
  return new Command('list')
    .description('List upgrades in waves')
    .option('-A, --all-namespaces', 'list the upgrades of all namespaces')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (flags: { readonly allNamespaces?: boolean; readonly output?: string }, self: Command) => {
      const format = readFormat(flags.output);
      await withSession(self, async ({ api, namespace, printLine }) => {
        const place = flags.allNamespaces === true ? {} : { namespace };
        const found = (await api.list({ ...OPERATOR_UPGRADES, ...place })).items as OperatorUpgrade[];
        if (format !== undefined) printLine(formatMany(found, format));
        else if (found.length === 0) throw new TerminalError('no upgrades found', 'NotFound');
        else
          printLine(
            formatTable([
              ['NAMESPACE', 'NAME', 'OPERATOR', 'PHASE', 'WAVE', 'UPGRADED', 'MESSAGE'],
              ...found.map(rowOf),
            ]),
          );
      });
    });
}

function rowOf(upgrade: OperatorUpgrade): string[] {
  const { spec = {}, status = {} } = upgrade;
  const { phase = 'Pending', wave, waves = 0, upgraded = 0, message = '' } = status;
  const count = `${upgraded}/${spec.instances?.length ?? 0}`;
  return [
    namespaceOf(upgrade),
    nameOf(upgrade),
    spec.operator ?? '',
    phase,
    wave === undefined ? '' : `${wave}/${waves}`,
    count,
    message,
  ];
}

/** `bravo upgrades show NAME`. */
export function upgradesShowCommand(): Command {
  return new Command('show')
    .description('Show an upgrade: its path, its waves, and what became of each instance')
    .argument('<name>', 'the upgrade')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (name: string, flags: { readonly output?: string }, self: Command) => {
      const format = readFormat(flags.output);
      await withSession(self, async (session) => {
        const upgrade = await requireUpgrade(session, name);
        session.printLine(format === undefined ? describe(upgrade) : formatOne(upgrade, format));
      });
    });
}

function describe(upgrade: OperatorUpgrade): string {
  const { spec = {}, status = {} } = upgrade;
  const facts = [
    ['Upgrade:', `${namespaceOf(upgrade)}/${nameOf(upgrade)}`],
    ['Operator:', spec.operator ?? ''],
    ['Path:', (spec.path ?? []).join(' → ')],
    ['Phase:', status.phase ?? 'Pending'],
    ['Message:', status.message ?? ''],
    ['Started:', status.startedAt ?? ''],
    ['Finished:', status.finishedAt ?? ''],
  ].filter(([, value]) => value !== '');
  const rows = (status.instances ?? []).map(({ name, wave, state, from = '', message = '' }) => [
    String(wave),
    name,
    state,
    from,
    message,
  ]);
  return `${formatTable(facts)}\n\n${formatTable([['WAVE', 'INSTANCE', 'STATE', 'FROM', 'MESSAGE'], ...rows])}`;
}
