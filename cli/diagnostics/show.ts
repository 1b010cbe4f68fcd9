import { readFile, stat } from 'node:fs/promises';
import { Command } from 'commander';
import { parseTime } from '@/lib/clock/clock';
import { messageOf, TerminalError } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import type { PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { limits } from '@/lib/limits/limits';
import { type CollectedInstance, type CollectedLog, readDiagnostics } from '@/server/diagnostics/read-archive';
import { runTree } from '../runs/show';
import { formatTree } from '../support/output';
import { statusTree } from '../support/plan-tree';
import { printLine } from '../support/print-line';

interface ShowFlags {
  readonly logs?: string;
  readonly events?: string;
}

const EVENTS = 30;
const LOG_LINES = 10;

/** `bravo diagnostics show ARCHIVE`: reads an archive without a cluster. */
export function showDiagnosticsCommand(): Command {
  return new Command('show')
    .description('Show an archive of collect --archive, without a cluster')
    .argument('<archive>', 'the .tgz file')
    .option('--logs <pod>', 'print the whole log of a pod (POD) or container (POD/CONTAINER)')
    .option('--events <count>', `how many events to show (default: ${EVENTS})`)
    .action(async (path: string, flags: ShowFlags) => {
      const { head, instances, logs } = await readDiagnostics(path, await bytesOf(path));
      if (flags.logs !== undefined) return printLog(logs, flags.logs);
      say(`Instance ${head.namespace}/${head.instance}, collected ${head.collectedAt}`);
      say(`Bravo ${head.versions.bravo}, Kubernetes ${head.versions.kubernetes}`);
      for (const warning of head.warnings) say(`Warning: ${warning}`);
      const collectedMs = parseTime(head.collectedAt) ?? 0;
      const count = Number(flags.events ?? EVENTS);
      for (const each of instances) showInstance(each, collectedMs, Number.isSafeInteger(count) ? count : EVENTS);
      for (const log of logs) showLog(log);
    });
}

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > limits.diagnostics.bytes) {
      throw new TerminalError(`${path} is larger than ${limits.diagnostics.bytes} bytes.`, 'FileTooLarge');
    }
    return await readFile(path);
  } catch (error) {
    throw error instanceof TerminalError ? error : new TerminalError(messageOf(error), 'NoFile', { cause: error });
  }
}

/** An archive may come from anybody: its texts never reach the terminal as control sequences. */
function say(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  printLine(text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd'));
}

function showInstance({ instance, version, runs, events }: CollectedInstance, nowMs: number, count: number): void {
  say(`\n── Instance ${nameOf(instance)}`);
  const tree = version === undefined ? undefined : statusTree(instance as Instance, version as OperatorVersion);
  say(tree === undefined ? 'No plan ever ran.' : formatTree(tree).trimEnd());
  const last = [...runs].sort(byCreation).at(-1);
  if (last !== undefined) {
    say('\nLast run:');
    say(formatTree(runTree(last as PlanRun, nowMs)).trimEnd());
  }
  if (events.length === 0) return;
  const shown = [...events].sort((a, b) => (eventTime(a) < eventTime(b) ? -1 : 1)).slice(-count);
  say(`\nEvents (${shown.length} of ${events.length}):`);
  for (const event of shown) say(eventLine(event));
}

function byCreation(a: KubeObject, b: KubeObject): number {
  return (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1;
}

function eventTime(event: KubeObject): string {
  return stringAt(event, 'lastTimestamp') ?? stringAt(event, 'eventTime') ?? event.metadata.creationTimestamp ?? '';
}

function eventLine(event: KubeObject): string {
  const about = `${stringAt(event, 'involvedObject', 'kind') ?? ''}/${stringAt(event, 'involvedObject', 'name') ?? ''}`;
  const text = (key: string) => stringAt(event, key) ?? '';
  return `  ${eventTime(event)}  ${text('type').padEnd(7)}  ${text('reason')}  ${about}  ${text('message')}`;
}

function showLog({ pod, container, text, error }: CollectedLog): void {
  const lines = text.trimEnd().split('\n');
  say(`\n── Log of ${pod}/${container}${error ? ' could not be read' : ''}`);
  if (lines.length > LOG_LINES) say(`  … ${lines.length - LOG_LINES} lines before: --logs ${pod}/${container}`);
  for (const line of lines.slice(-LOG_LINES)) say(`  ${line}`);
}

function printLog(logs: readonly CollectedLog[], wanted: string): void {
  const found = logs.filter(({ pod, container }) => wanted === pod || wanted === `${pod}/${container}`);
  if (found.length === 0) {
    const names = logs.map(({ pod, container }) => `${pod}/${container}`).join(', ');
    throw new TerminalError(
      `The archive has no log of ${wanted}. It has ${names === '' ? 'none' : names}.`,
      'NotFound',
    );
  }
  for (const { text } of found) for (const line of text.trimEnd().split('\n')) say(line);
}
