import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject, objectAt } from '@/lib/json/json';
import { runTool } from '@/test/node/tools';

/** A process of this machine. */
export interface Process {
  readonly pid: number;
  /** Its words, each with a NUL after it. */
  readonly commandLine: string;
}

export function processes(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => {
    try {
      return { pid: Number(pid), commandLine: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
    } catch {
      // The process has ended in the meantime.
      return { pid: Number(pid), commandLine: '' };
    }
  });
}

/**
 * Runs a command beside the first program of a container with runc itself, in the namespaces of the node agent that started it.
 *
 * @param id of the container: UID of the pod, name, and how often it was restarted, with `-`
 * @returns exit code and output, both streams as one text
 */
export async function execByRunc(id: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const runc = processes().find(
    (each) => each.commandLine.startsWith('runc\0') && each.commandLine.endsWith(`\0${id}\0`),
  );
  if (runc === undefined) throw new Error(`No runc runs container ${id}`);
  const words = runc.commandLine.split('\0');
  const root = words[words.indexOf('--root') + 1] ?? '';
  const bundle = words[words.indexOf('--bundle') + 1] ?? '';
  const { process } = JSON.parse(readFileSync(join(bundle, 'config.json'), 'utf8')) as { process: JsonObject };
  const file = join(bundle, 'exec-by-test.json');
  writeFileSync(file, JSON.stringify({ ...objectAt({ process }, 'process'), args: [...args] }));
  try {
    const command = ['runc', '--root', root, 'exec', '--process', file, id];
    const { code, out, err } = await runTool('nsenter', ['-t', String(runc.pid), '-p', '-m', ...command]);
    return { code, output: out + err };
  } finally {
    rmSync(file);
  }
}
