import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import type { LeftoverObject } from '@/lib/kudo/upkeep/report';
import { requireInstance } from './support/instances';
import { type Session, withSession } from './support/session';

interface PruneFlags {
  readonly instance?: string;
  readonly dryRun?: boolean;
  readonly claims?: boolean;
  readonly cluster?: boolean;
  readonly yes?: boolean;
}

/**
 * `bravo prune --instance I [--dry-run] [--claims] [--cluster] [--yes]`: removes what earlier plans of an Instance made and its
 * templates no longer render. It names each object and asks first; what holds data stays unless `--claims` is given, what is in no
 * namespace unless `--cluster` is.
 */
export function pruneCommand(): Command {
  const command = new Command('prune')
    .description('Remove objects of an instance that its templates no longer render')
    .requiredOption('--instance <name>', 'the instance')
    .option('--dry-run', 'only name the objects')
    .option('--claims', 'remove PersistentVolumeClaims and what else holds data too; the data goes with them')
    .option('--cluster', 'remove objects too that are in no namespace')
    .option('-y, --yes', 'do not ask');
  return command.action(async (_flags: unknown, self: Command) => {
    const flags = self.opts<PruneFlags>();
    await withSession(self, (session) => prune(session, flags));
  });
}

async function prune(session: Session, flags: PruneFlags): Promise<void> {
  const name = flags.instance ?? '';
  await requireInstance(session, name);
  const key = { namespace: session.namespace, name };
  // Loaded here, so that other verbs do not wait for it.
  const { readDriftView } = await import('@/server/instances/drift-report');
  const { report } = await readDriftView(session.api, key);
  for (const note of report.notes) session.print(note);
  const chosen = report.leftovers.filter((object) => whySpared(object, flags) === undefined);
  for (const object of chosen) session.print(`${lineOf(object)}`);
  for (const object of report.leftovers) {
    const why = whySpared(object, flags);
    if (why !== undefined) session.print(`${lineOf(object)} (${why})`);
  }
  if (chosen.length === 0) {
    session.print(`Nothing of instance ${key.namespace}/${name} is to be removed.`);
    return;
  }
  if (flags.dryRun === true) return;
  if (flags.yes !== true) await confirm(chosen.length);
  const wish = {
    uids: chosen.map(({ uid }) => uid),
    claims: flags.claims === true,
    shared: flags.cluster === true,
  };
  const { pruneObjects } = await import('@/server/instances/prune-objects');
  const { done, failed } = await pruneObjects(session.api, key, wish);
  for (const object of done) session.print(`${lineOf(object)} removed`);
  if (failed.length === 0) return;
  const reasons = failed.map((object) => `${lineOf(object)}: ${object.message}`).join('\n');
  throw new TerminalError(`Not everything was removed:\n${reasons}`, 'PruneFailed');
}

/** Why an object stays; undefined when it goes. */
function whySpared({ isClaim, isShared }: LeftoverObject, flags: PruneFlags): string | undefined {
  if (isClaim && flags.claims !== true) return 'holds data, stays without --claims';
  if (isShared && flags.cluster !== true) return 'is in no namespace, stays without --cluster';
  return undefined;
}

function lineOf({ kind, name }: Pick<LeftoverObject, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

/** @throws TerminalError when the answer is not yes, or nobody is there to give one */
async function confirm(count: number): Promise<void> {
  const what = count === 1 ? 'this object' : `these ${count} objects`;
  if (!process.stdin.isTTY) {
    throw new TerminalError(`Give --yes to remove ${what}; nobody is there to be asked.`, 'InvalidArguments');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`Remove ${what}? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new TerminalError('Nothing was removed.', 'Cancelled');
  } finally {
    terminal.close();
  }
}
