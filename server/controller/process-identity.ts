import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Names this process in the lease: `host/pid/start`. The start time tells it from a later process of the same number,
 * and a process of the same machine can see at once that a holder was killed, instead of waiting for the lease to run out.
 */
export function processIdentity(): string {
  return `${hostname()}/${process.pid}/${startOf(process.pid) ?? 'unknown'}`;
}

/** True when the identity names a process of this machine that has ended. */
export function isProcessGone(identity: string): boolean {
  const { host, pid, start } = parseIdentity(identity);
  if (host !== hostname() || !Number.isSafeInteger(pid) || pid <= 0) return false;
  const startNow = startOf(pid);
  if (startNow !== undefined && start !== 'unknown') return startNow !== start;
  return !exists(pid);
}

/** `host/pid/start`, or `host-pid` from the worker beside the console. */
function parseIdentity(identity: string): { host: string; pid: number; start: string } {
  const [host = '', pidText, start = 'unknown'] = identity.split('/');
  if (pidText !== undefined) return { host, pid: Number(pidText), start };
  const dash = identity.lastIndexOf('-');
  return { host: identity.slice(0, dash), pid: Number(identity.slice(dash + 1)), start };
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Clock ticks since boot at which the process began (field 22 of /proc/pid/stat); undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
  } catch {
    return undefined;
  }
}
