import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { TerminalError } from '@/lib/errors/errors';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { readSnapshotHead, snapshotHtml, snapshotProblem } from '@/lib/kudo/snapshot/snapshot';
import { limits } from '@/lib/limits/limits';
import { readSnapshotSource } from '@/server/runs/snapshot-source';
import { productVersion } from '@/server/runtime/root';
import { type ClusterSession, withSession } from '../support/session';
import { findRun, runPlace } from './find-run';

interface SnapshotFlags {
  readonly instance?: string;
  readonly outputFile?: string;
}

/** `bravo run snapshot [RUN] -O FILE`: everything of a run in one HTML file. */
export function snapshotCommand(): Command {
  return new Command('snapshot')
    .description('Write everything of a run into one HTML file, for example for a ticket')
    .argument('[run]', 'the run; when absent, of --instance the one under way, else the last one')
    .option('--instance <name>', 'the instance')
    .option('-O, --output-file <file>', 'the file (default: RUN.html)')
    .action(async (name: string | undefined, { instance, outputFile }: SnapshotFlags, self: Command) => {
      await withSession(self, async (session) => {
        const run = await findRun(session, { name, instance });
        const source = await sourceOf(session, { namespace: namespaceOf(run), name: nameOf(run) });
        const text = snapshotHtml(source);
        const file = outputFile ?? `${nameOf(run)}.html`;
        await writeFile(file, text);
        session.printLine(`Run ${runPlace(run)} was written to ${file} (SHA-256 ${sha256(text)}).`);
      });
    });
}

/** `bravo run verify-snapshot FILE`: compares a snapshot with what the cluster says about its run. */
export function verifySnapshotCommand(): Command {
  return new Command('verify-snapshot')
    .description('Check that a snapshot of a run is what the cluster says about that run')
    .argument('<file>', 'the snapshot')
    .action(async (file: string, _flags: unknown, self: Command) => {
      const text = await readSnapshot(file);
      const head = readSnapshotHead(text);
      if (head === undefined) throw new TerminalError(`${file} is not a snapshot of a run`, 'Invalid');
      await withSession(self, async (session) => {
        const problem = snapshotProblem(text, head, await sourceOf(session, head));
        if (problem !== undefined) throw new TerminalError(problem, 'NotVerified');
        const place = `${head.namespace}/${head.name}`;
        session.printLine(`${file} is what the cluster says about run ${place} (SHA-256 ${sha256(text)}).`);
      });
    });
}

async function sourceOf({ api, clock }: ClusterSession, place: { namespace: string; name: string }) {
  const source = await readSnapshotSource(api, place, { version: productVersion, clock });
  if (source !== undefined) return source;
  const { namespace, name } = place;
  throw new TerminalError(
    `run ${namespace}/${name} does not exist in this cluster, or not any more: nothing can be compared with it`,
    'NotFound',
  );
}

/** @throws TerminalError `NotFound`, `Invalid` for a file that is too large */
async function readSnapshot(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) throw new TerminalError(`file ${file} does not exist`, 'NotFound');
  if (found.size > limits.snapshotBytes) throw new TerminalError(`${file} is too large for a snapshot`, 'Invalid');
  return readFile(file, 'utf8');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
