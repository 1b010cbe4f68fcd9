import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { channelProblem } from '@/lib/kudo/repository/lifecycle';
import type { RepositorySource } from '@/lib/kudo/repository/repository-source';
import {
  CHECK_NOW,
  OPERATOR_SUBSCRIPTION_API_VERSION,
  OPERATOR_SUBSCRIPTIONS,
  type OperatorSubscriptionSpec,
} from '@/lib/kudo/upgrades/operator-subscription';
import { isOciReference } from '@/lib/oci/reference';
import { registryPath } from '@/server/packages/oci/oci-repository';
import type { HomeFlags } from '../support/home';
import { DEFAULT_LIST, findRepository, readRepositories } from '../support/repositories';
import { type ClusterSession, withSession } from '../support/session';
import { readKeyTexts } from '../support/signing-keys';
import { writeOrWarn } from '../support/warn-if-no-controller';
import { type WaveFlags, waveSpec, withWaveFlags } from '../upgrades/start';
import { requireSubscription } from './read';

interface CreateFlags extends HomeFlags, WaveFlags {
  readonly operator: string;
  readonly repository: string;
  readonly channel: string;
  readonly automatic?: boolean;
  readonly selector?: string;
  readonly interval?: string;
  readonly confirm?: string;
  readonly signatureKey?: readonly string[];
  readonly pullSecret?: string;
}

/** `bravo subscriptions create NAME`. */
export function subscriptionsCreateCommand(): Command {
  const command = new Command('create')
    .description('Follow a channel of a repository')
    .argument('<name>', 'the subscription')
    .requiredOption('--operator <name>', 'the operator whose instances are upgraded')
    .requiredOption(
      '--repository <name>',
      'a repository of the list (bravo repo list), or its address: http, https or oci',
    )
    .option(
      '--signature-key <file...>',
      'install only packages that one of these public keys has signed (default: those of the repository of the list)',
    )
    .option('--pull-secret <name>', 'a Secret of type kubernetes.io/dockerconfigjson with the user for an OCI registry')
    .option('--channel <name>', 'the channel', 'stable')
    .option('--automatic', 'upgrade without the approval of a person')
    .option('-l, --selector <labels>', 'only instances with these labels: tier=test,zone=a')
    .option('--interval <minutes>', 'how often the repository is asked', '60')
    .option('--confirm <operator>', 'the name of the operator: confirms plans that delete or replace data');
  return withWaveFlags(command).action(async (name: string, _flags: unknown, self: Command) => {
    const spec = await specOf(self.optsWithGlobals<CreateFlags>());
    await withSession(self, async (session) => {
      const { api, namespace } = session;
      const metadata = { name, namespace };
      const object = { apiVersion: OPERATOR_SUBSCRIPTION_API_VERSION, kind: 'OperatorSubscription', metadata, spec };
      await writeOrWarn(session, () => api.create({ ...OPERATOR_SUBSCRIPTIONS, namespace }, object));
      session.printLine(`subscription ${namespace}/${name} created`);
    });
  });
}

async function specOf(flags: CreateFlags): Promise<OperatorSubscriptionSpec> {
  const { operator, channel, automatic, selector, interval, confirm } = flags;
  const problem = channelProblem(channel);
  if (problem !== undefined) throw refused(`--channel ${problem}`);
  const minutes = Number(interval);
  if (!Number.isInteger(minutes) || minutes < 5) {
    throw refused(`--interval must be a number of minutes from 5 on, not "${interval ?? ''}"`);
  }
  const { url, signatureKeys } = await followedRepository(flags);
  return {
    operator,
    repository: url,
    ...(signatureKeys === undefined ? {} : { signatureKeys: [...signatureKeys] }),
    ...(flags.pullSecret === undefined ? {} : { pullSecret: flags.pullSecret }),
    channel,
    approval: automatic === true ? 'Automatic' : 'Manual',
    intervalMinutes: minutes,
    ...(selector === undefined ? {} : { selector: labelsOf(selector) }),
    ...waveSpec(flags),
    ...(confirm === undefined ? {} : { confirm }),
  };
}

/** The controller reads the repository: it must be one that it can reach. What the list requires of its packages is required of them here too. */
async function followedRepository(flags: CreateFlags): Promise<Pick<RepositorySource, 'url' | 'signatureKeys'>> {
  const { repository, signatureKey } = flags;
  const named = findRepository((await readRepositories(flags)) ?? DEFAULT_LIST, repository);
  const url = named?.url ?? repository;
  if (isOciReference(url)) registryPath(url);
  else if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    const what = 'a repository of the list with an http, https or oci address';
    throw refused(`--repository must name ${what}, not "${repository}"`);
  }
  const signatureKeys = signatureKey === undefined ? named?.signatureKeys : await readKeyTexts(signatureKey);
  return { url, ...(signatureKeys === undefined ? {} : { signatureKeys }) };
}

function labelsOf(text: string): { [label: string]: string } {
  const entries = text.split(',').map((each) => each.split('='));
  if (entries.some((parts) => parts.length !== 2 || parts[0] === '')) {
    throw refused(`--selector must be labels such as tier=test,zone=a, not "${text}"`);
  }
  return Object.fromEntries(entries);
}

function refused(message: string): TerminalError {
  return new TerminalError(message, 'InvalidArguments');
}

/** `bravo subscriptions approve NAME`: takes the right to patch `operatorsubscriptions/status`. */
export function subscriptionsApproveCommand(): Command {
  return new Command('approve')
    .description('Approve the version that a subscription waits with')
    .argument('<name>', 'the subscription')
    .option('--seen <name>', 'the OperatorVersion that was seen; refused when another one waits by now')
    .action(async (name: string, flags: { readonly seen?: string }, self: Command) => {
      await withSession(self, async (session) => approve(session, name, flags.seen));
    });
}

async function approve(session: ClusterSession, name: string, asked: string | undefined): Promise<void> {
  const { api, namespace, printLine } = session;
  const { status = {} } = await requireSubscription(session, name);
  const waiting = status.path?.at(-1);
  if (waiting === undefined)
    throw new TerminalError(`subscription ${namespace}/${name} has no newer version`, 'NotFound');
  const version = asked ?? waiting;
  if (version !== waiting)
    throw refused(`subscription ${namespace}/${name} waits with version ${waiting}, not ${version}`);
  const target = { ...OPERATOR_SUBSCRIPTIONS, namespace, name };
  await api.patch(target, 'merge', { status: { approvedVersion: version } }, { subresource: 'status' });
  printLine(`version ${version} approved for subscription ${namespace}/${name}`);
}

/** `bravo subscriptions check NAME`: takes the right to patch `operatorsubscriptions/status`. */
export function subscriptionsCheckCommand(): Command {
  return new Command('check')
    .description('Ask the repository now, and not at the next interval')
    .argument('<name>', 'the subscription')
    .action(async (name: string, _flags: unknown, self: Command) => {
      await withSession(self, async (session) => {
        const { api, namespace, printLine } = session;
        const subscription = await requireSubscription(session, name);
        if (subscription.spec?.suspend === true) {
          throw refused(`subscription ${namespace}/${name} is suspended: run bravo subscriptions resume ${name} first`);
        }
        const target = { ...OPERATOR_SUBSCRIPTIONS, namespace, name };
        await writeOrWarn(session, () => api.patch(target, 'merge', CHECK_NOW, { subresource: 'status' }));
        printLine(`the repository of subscription ${namespace}/${name} is asked now`);
      });
    });
}

/** `bravo subscriptions suspend|resume NAME`. */
export function subscriptionsSuspendCommands(): Command[] {
  return [
    suspendingCommand('suspend', 'Ask no repository and start no upgrade until it is resumed', true),
    suspendingCommand('resume', 'Go on with a suspended subscription', false),
  ];
}

function suspendingCommand(verb: string, description: string, suspend: boolean): Command {
  return new Command(verb)
    .description(description)
    .argument('<name>', 'the subscription')
    .action(async (name: string, _flags: unknown, self: Command) => {
      await withSession(self, async ({ api, namespace, printLine }) => {
        await api.patch({ ...OPERATOR_SUBSCRIPTIONS, namespace, name }, 'merge', { spec: { suspend } });
        printLine(`subscription ${namespace}/${name} ${suspend ? 'suspended' : 'resumed'}`);
      });
    });
}

/** `bravo subscriptions delete NAME`. */
export function subscriptionsDeleteCommand(): Command {
  return new Command('delete')
    .description('Delete a subscription; its upgrades stay')
    .argument('<name>', 'the subscription')
    .action(async (name: string, _flags: unknown, self: Command) => {
      await withSession(self, async ({ api, namespace, printLine }) => {
        await api.delete({ ...OPERATOR_SUBSCRIPTIONS, namespace, name });
        printLine(`subscription ${namespace}/${name} deleted`);
      });
    });
}
