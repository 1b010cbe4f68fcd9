import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { readSnapshotHead, snapshotHtml } from '@/lib/kudo/snapshot/snapshot';
import { withSession } from '../support/session';
import { findRun, runPlace } from './find-run';
import { snapshotSourceOf } from './snapshot-source-of';

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
        const source = await snapshotSourceOf(session, { namespace: namespaceOf(run), name: nameOf(run) });
        const text = snapshotHtml(source);
        const file = outputFile ?? `${nameOf(run)}.html`;
        await writeFile(file, text);
        const unsigned = readSnapshotHead(text)?.signature === undefined ? ' It is not signed.' : '';
        session.printLine(`Run ${runPlace(run)} was written to ${file} (SHA-256 ${sha256(text)}).${unsigned}`);
      });
    });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
