import { Command } from 'commander';
import { parseTime } from '@/lib/clock/clock';
import { formatAge } from '@/lib/clock/duration';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { DEFAULT_CHANNEL } from '@/lib/kudo/repository/lifecycle';
import { advisoryWords } from '@/lib/kudo/upgrades/advisory-words';
import { OPERATOR_SUBSCRIPTIONS, type OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import { formatMany, formatOne, formatTable, readFormat } from '../support/output';
import { type ClusterSession, withSession } from '../support/session';

/** `bravo subscriptions list`. */
export function subscriptionsListCommand(): Command {
  return new Command('list')
    .description('List subscriptions')
    .option('-A, --all-namespaces', 'list the subscriptions of all namespaces')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (flags: { readonly allNamespaces?: boolean; readonly output?: string }, self: Command) => {
      const format = readFormat(flags.output);
      await withSession(self, async ({ api, clock, namespace, printLine }) => {
        const place = flags.allNamespaces === true ? {} : { namespace };
        const found = (await api.list({ ...OPERATOR_SUBSCRIPTIONS, ...place })).items as OperatorSubscription[];
        if (format !== undefined) printLine(formatMany(found, format));
        else if (found.length === 0) throw new TerminalError('no subscriptions found', 'NotFound');
        else printLine(formatTable([HEADER, ...found.map((each) => rowOf(each, clock.now()))]));
      });
    });
}

const HEADER = ['NAMESPACE', 'NAME', 'OPERATOR', 'CHANNEL', 'APPROVAL', 'AVAILABLE', 'CHECKED', 'STATE'];

function rowOf(subscription: OperatorSubscription, nowMs: number): string[] {
  const { spec = {}, status = {} } = subscription;
  const checkedMs = parseTime(status.checkedAt);
  return [
    ...[namespaceOf(subscription), nameOf(subscription), spec.operator ?? '', spec.channel ?? DEFAULT_CHANNEL],
    ...[spec.approval ?? 'Manual', status.available ?? ''],
    checkedMs === undefined ? 'never' : `${formatAge(nowMs - checkedMs)} ago`,
    status.problem ?? status.heldBy ?? '',
  ];
}

/** `bravo subscriptions show NAME`. */
export function subscriptionsShowCommand(): Command {
  return new Command('show')
    .description('Show a subscription: installed and available versions, and what holds an upgrade back')
    .argument('<name>', 'the subscription')
    .option('-o, --output <format>', 'yaml or json')
    .action(async (name: string, flags: { readonly output?: string }, self: Command) => {
      const format = readFormat(flags.output);
      await withSession(self, async (session) => {
        const found = await requireSubscription(session, name);
        session.printLine(format === undefined ? describe(found) : formatOne(found, format));
      });
    });
}

function describe(subscription: OperatorSubscription): string {
  const { spec = {}, status = {} } = subscription;
  const facts = [
    ['Subscription:', `${namespaceOf(subscription)}/${nameOf(subscription)}`],
    ['Follows:', `${spec.operator ?? ''}, channel ${spec.channel ?? DEFAULT_CHANNEL} of ${spec.repository ?? ''}`],
    ['Approval:', spec.approval ?? 'Manual'],
    ['Available:', status.available ?? ''],
    ['Path:', (status.path ?? []).join(' → ')],
    ['Approved:', status.approvedVersion ?? ''],
    ['Held by:', status.heldBy ?? ''],
    ['Upgrade:', status.upgrade ?? ''],
    ['Checked:', status.checkedAt ?? 'never'],
    ['Next check:', status.nextCheck ?? ''],
    ['Problem:', status.problem ?? ''],
  ].filter(([, value]) => value !== '');
  const rows = (status.installed ?? []).map(({ version, instances, advisories = [], withdrawn }) => [
    version,
    String(instances),
    [...(withdrawn === undefined ? [] : [`withdrawn: ${withdrawn}`]), ...advisories.map(advisoryWords)].join(' '),
  ]);
  return `${formatTable(facts)}\n\n${formatTable([['INSTALLED', 'INSTANCES', 'PROBLEMS'], ...rows])}`;
}

/** @throws TerminalError when it does not exist */
export async function requireSubscription(
  { api, namespace }: ClusterSession,
  name: string,
): Promise<OperatorSubscription> {
  const found = (await api.get({ ...OPERATOR_SUBSCRIPTIONS, namespace, name })) as OperatorSubscription | undefined;
  if (found !== undefined) return found;
  throw new TerminalError(`subscription ${namespace}/${name} does not exist`, 'NotFound');
}
