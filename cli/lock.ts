import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { LOCK_ANNOTATION, lockInForce, lockText, lockWords, newLock } from '@/lib/kudo/lock/instance-lock';
import { requireInstance } from './support/instances';
import { type ClusterSession, withSession } from './support/session';

interface LockFlags {
  readonly instance?: string;
  readonly reason: string;
  readonly until: string;
}

/** `bravo lock NAME --reason R --until 4h`: no plan of the Instance starts until then. */
export function lockCommand(): Command {
  return new Command('lock')
    .description('Let no plan of an instance start until a time; what runs goes on')
    .argument('[name]', 'the instance')
    .option('--instance <name>', 'the instance')
    .requiredOption('--reason <text>', 'why')
    .requiredOption('--until <time>', 'when the lock ends by itself: 30m, 4h, 7d from now, or 2026-01-31T18:00:00Z')
    .action(async (name: string | undefined, flags: LockFlags, self: Command) => {
      await withSession(self, (session) => lock(session, nameOf(name, flags), flags));
    });
}

/** A lock of somebody else is not replaced: its reason would be lost. */
async function lock(session: ClusterSession, name: string, { reason, until }: LockFlags): Promise<void> {
  const { namespace, api, clock, printLine } = session;
  const instance = await requireInstance(session, name);
  const before = lockInForce(instance, clock.now());
  if (before !== undefined) {
    const message = `instance ${namespace}/${name} ${lockWords(before)}. To change that, run bravo unlock first`;
    throw new TerminalError(message, 'Locked');
  }
  const wanted = newLock(reason, until, clock.now());
  if ('problem' in wanted) throw new TerminalError(wanted.problem, 'InvalidArguments');
  const { resourceVersion = '' } = instance.metadata;
  const metadata = { resourceVersion, annotations: { [LOCK_ANNOTATION]: lockText(wanted) } };
  await api.patch({ ...INSTANCES, namespace, name }, 'merge', { metadata });
  printLine(`instance ${namespace}/${name} locked until ${wanted.until}`);
}

/** `bravo unlock NAME`. */
export function unlockCommand(): Command {
  return new Command('unlock')
    .description('Let plans of an instance start again')
    .argument('[name]', 'the instance')
    .option('--instance <name>', 'the instance')
    .action(async (name: string | undefined, flags: { readonly instance?: string }, self: Command) => {
      await withSession(self, (session) => unlock(session, nameOf(name, flags)));
    });
}

async function unlock(session: ClusterSession, name: string): Promise<void> {
  const { namespace, api, printLine } = session;
  const instance = await requireInstance(session, name);
  if (instance.metadata.annotations?.[LOCK_ANNOTATION] === undefined) {
    printLine(`instance ${namespace}/${name} is not locked`);
    return;
  }
  await api.patch({ ...INSTANCES, namespace, name }, 'merge', {
    metadata: { annotations: { [LOCK_ANNOTATION]: null } },
  });
  printLine(`instance ${namespace}/${name} unlocked`);
}

function nameOf(name: string | undefined, { instance }: { readonly instance?: string }): string {
  const given = name ?? instance ?? '';
  if (given !== '') return given;
  throw new TerminalError('please name the instance: bravo lock NAME', 'InvalidArguments');
}
