import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import type { LeftoverObject } from '@/lib/kudo/drift/report';
import { requireYes, withYesFlag, type YesFlags } from './support/ask-yes';
import { requireInstance } from './support/instances';
import { type ClusterSession, withSession } from './support/session';

interface PruneFlags extends YesFlags {
  readonly instance?: string;
  readonly dryRun?: boolean;
  readonly claims?: boolean;
  readonly cluster?: boolean;
}

/**
 * `bravo prune --instance I [--dry-run] [--claims] [--cluster] [--yes]`: deletes leftovers: objects that earlier plans of an
 * Instance applied and that no template renders any more. It names each object and asks first. Objects that hold data need `--claims`,
 * cluster-scoped objects `--cluster`.
 */
export function pruneCommand(): Command {
  const command = new Command('prune')
    .description('Delete objects of an instance that no template renders any more')
    .requiredOption('--instance <name>', 'the instance')
    .option('--dry-run', 'only list the objects')
    .option('--claims', 'also delete PersistentVolumeClaims and other objects that hold data, with their data')
    .option('--cluster', 'also delete cluster-scoped objects');
  return withYesFlag(command).action(async (_flags: unknown, self: Command) => {
    const flags = self.opts<PruneFlags>();
    await withSession(self, (session) => prune(session, flags));
  });
}

async function prune(session: ClusterSession, flags: PruneFlags): Promise<void> {
  const name = flags.instance ?? '';
  await requireInstance(session, name);
  const key = { namespace: session.namespace, name };
  // Loaded here, so that other verbs do not wait for it.
  const { readDriftView } = await import('@/server/instances/drift-report');
  const { report } = await readDriftView(session.api, key);
  for (const note of report.notes) session.printLine(note);
  const chosen = report.leftovers.filter((object) => whyKept(object, flags) === undefined);
  for (const object of chosen) session.printLine(`${lineOf(object)}`);
  for (const object of report.leftovers) {
    const why = whyKept(object, flags);
    if (why !== undefined) session.printLine(`${lineOf(object)} (${why})`);
  }
  if (chosen.length === 0) {
    session.printLine(`Instance ${key.namespace}/${name} has no leftovers to delete.`);
    return;
  }
  if (flags.dryRun === true) return;
  const what = chosen.length === 1 ? 'this object' : `these ${chosen.length} objects`;
  await requireYes({ text: `Delete ${what}?`, act: `delete ${what}`, declined: 'Nothing was deleted.' }, flags);
  const wish = {
    uids: chosen.map(({ uid }) => uid),
    claims: flags.claims === true,
    shared: flags.cluster === true,
  };
  const { pruneObjects } = await import('@/server/instances/prune-objects');
  const { done, failed } = await pruneObjects(session.api, key, wish);
  for (const object of done) session.printLine(`${lineOf(object)} deleted`);
  if (failed.length === 0) return;
  const reasons = failed.map((object) => `${lineOf(object)}: ${object.message}`).join('\n');
  throw new TerminalError(`Some objects were not deleted:\n${reasons}`, 'PruneFailed');
}

/** Why an object is not deleted; undefined when it is. */
function whyKept({ isClaim, isShared }: LeftoverObject, flags: PruneFlags): string | undefined {
  if (isClaim && flags.claims !== true) return 'holds data; kept without --claims';
  if (isShared && flags.cluster !== true) return 'is cluster-scoped; kept without --cluster';
  return undefined;
}

function lineOf({ kind, name }: Pick<LeftoverObject, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}
