import { join } from 'node:path';
import { arrayAt, getAt, type JsonObject, numberAt, stringAt } from '@/lib/json/json';
import { projectRoot } from '@/server/runtime/root';

const PROGRAM = join(projectRoot, 'test/node/enter.pl');

/** The numbers of setns, prctl, capset, setgroups, setresuid, setresgid, setsid and keyctl. */
const SYSTEM_CALLS: { readonly [architecture: string]: readonly number[] } = {
  x64: [308, 157, 126, 116, 117, 119, 112, 250],
  arm64: [268, 167, 91, 159, 147, 149, 157, 219],
};

/** In the order of their numbers (linux/capability.h). */
const CAPABILITIES = [
  ...['CHOWN', 'DAC_OVERRIDE', 'DAC_READ_SEARCH', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID', 'SETPCAP'],
  ...['LINUX_IMMUTABLE', 'NET_BIND_SERVICE', 'NET_BROADCAST', 'NET_ADMIN', 'NET_RAW', 'IPC_LOCK', 'IPC_OWNER'],
  ...['SYS_MODULE', 'SYS_RAWIO', 'SYS_CHROOT', 'SYS_PTRACE', 'SYS_PACCT', 'SYS_ADMIN', 'SYS_BOOT', 'SYS_NICE'],
  ...['SYS_RESOURCE', 'SYS_TIME', 'SYS_TTY_CONFIG', 'MKNOD', 'LEASE', 'AUDIT_WRITE', 'AUDIT_CONTROL', 'SETFCAP'],
  ...['MAC_OVERRIDE', 'MAC_ADMIN', 'SYSLOG', 'WAKE_ALARM', 'BLOCK_SUSPEND', 'AUDIT_READ', 'PERFMON', 'BPF'],
  'CHECKPOINT_RESTORE',
].map((name) => `CAP_${name}`);

/** What `enter.pl` keeps of a process; runc is needed for anything else. */
const KEPT = ['terminal', 'user', 'args', 'env', 'cwd', 'capabilities', 'noNewPrivileges'];
const SETS = ['bounding', 'effective', 'permitted'];

/** A running container, as `enter.pl` finds it. */
export interface Entered {
  /** Its first process. */
  readonly pid: number;
  /** The end of the path of its control groups. */
  readonly cgroup: string;
  readonly hasInput: boolean;
}

/**
 * The command that runs a process (OCI runtime specification) beside the program of a container, without runc. Undefined for a process
 * that only runc can start.
 */
export function enterCommand(
  process: JsonObject,
  { pid, cgroup, hasInput }: Entered,
  architecture: string,
): readonly string[] | undefined {
  const numbers = SYSTEM_CALLS[architecture];
  const capabilities = maskOf(process);
  const isPlain = Object.keys(process).every((key) => KEPT.includes(key)) && getAt(process, 'terminal') !== true;
  if (numbers === undefined || capabilities === undefined || !isPlain) return undefined;
  const env = arrayAt(process, 'env').map(String);
  return [
    ...['perl', PROGRAM, numbers.join(','), String(pid), cgroup],
    ...[String(numberAt(process, 'user', 'uid') ?? 0), String(numberAt(process, 'user', 'gid') ?? 0)],
    ...[
      arrayAt(process, 'user', 'additionalGids').join(','),
      (numberAt(process, 'user', 'umask') ?? 0o022).toString(8),
    ],
    ...[capabilities, getAt(process, 'noNewPrivileges') === true ? '1' : '0', hasInput ? '1' : '0'],
    ...[stringAt(process, 'cwd') ?? '/', String(env.length), ...env, ...arrayAt(process, 'args').map(String)],
  ];
}

/** The capabilities as 16 hexadecimal digits; undefined when the sets differ, or one is not known here. */
function maskOf(process: JsonObject): string | undefined {
  const [first = [], ...others] = SETS.map((set) => arrayAt(process, 'capabilities', set).map(String).sort());
  const isOne = others.every((each) => each.join() === first.join());
  const hasOthers = ['inheritable', 'ambient'].some((set) => arrayAt(process, 'capabilities', set).length > 0);
  if (!isOne || hasOthers || first.some((name) => !CAPABILITIES.includes(name))) return undefined;
  const mask = first.reduce((sum, name) => sum | (1n << BigInt(CAPABILITIES.indexOf(name))), 0n);
  return mask.toString(16).padStart(16, '0');
}
