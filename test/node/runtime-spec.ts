import { arrayAt, getAt, type JsonObject, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { parseQuantity } from '@/lib/kube/quantity';
import { hostNameOf } from '@/server/sandbox/workloads/kubelet/pod-fields';
import { ConfigError } from './config-sources';

/** A folder or file of this machine in a container. */
export interface BindMount {
  readonly source: string;
  readonly destination: string;
  readonly readOnly: boolean;
}

export interface SpecInput {
  readonly pod: KubeObject;
  readonly container: JsonValue;
  /** What runs, with its environment. */
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly workingDir: string;
  /** /etc/passwd of the image: a user's first group. */
  readonly users: string;
  readonly mounts: readonly BindMount[];
  readonly rootPath: string;
  readonly networkNamespace: string;
  readonly cgroupPath: string;
}

/** What Docker and containerd give a container that asks for nothing. */
const DEFAULT_CAPABILITIES = [
  ...['CHOWN', 'DAC_OVERRIDE', 'FSETID', 'FOWNER', 'MKNOD', 'NET_RAW', 'SETGID', 'SETUID', 'SETFCAP', 'SETPCAP'],
  ...['NET_BIND_SERVICE', 'SYS_CHROOT', 'KILL', 'AUDIT_WRITE'],
];

/**
 * The config.json of a container (OCI runtime specification 1.0). There is no `oomScoreAdj`: runc ends with "can't get final
 * child's PID" where the caller lacks CAP_SYS_RESOURCE. There is no seccomp profile either.
 *
 * @throws ConfigError when runAsNonRoot forbids the user
 */
export function runtimeSpec(input: SpecInput): JsonObject {
  const { container } = input;
  const memory = stringAt(container, 'resources', 'limits', 'memory');
  const bytes = memory === undefined ? undefined : Number((parseQuantity(memory)?.nano ?? 0n) / 1_000_000_000n);
  return {
    ociVersion: '1.0.2',
    process: processOf(input),
    root: { path: input.rootPath, readonly: getAt(container, 'securityContext', 'readOnlyRootFilesystem') === true },
    hostname: hostNameOf(input.pod),
    mounts: [...SYSTEM_MOUNTS, ...input.mounts.map(bindMount)],
    linux: {
      namespaces: [
        ...['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })),
        { type: 'network', path: input.networkNamespace },
      ],
      cgroupsPath: input.cgroupPath,
      resources: {
        devices: [{ allow: false, access: 'rwm' }, ...DEVICES],
        ...(bytes === undefined ? {} : { memory: { limit: bytes } }),
      },
      maskedPaths: [
        '/proc/acpi',
        '/proc/kcore',
        '/proc/keys',
        '/proc/latency_stats',
        '/proc/timer_list',
        '/sys/firmware',
      ],
      readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
    },
  };
}

/** The process of a container; `args` may be those of a command that runs beside it. */
export function processOf(input: SpecInput): JsonObject {
  const { pod, container, users } = input;
  const { uid, gid, groups } = userOf(pod, container, users);
  const capabilities = capabilitiesOf(container);
  return {
    terminal: false,
    user: { uid, gid, additionalGids: groups, umask: 0o022 },
    args: [...input.args],
    env: [...input.env].map(([name, value]) => `${name}=${value}`),
    cwd: stringAt(container, 'workingDir') ?? input.workingDir,
    // The kernel takes them from a user that is not root when the program starts, as in any runtime.
    capabilities: { bounding: capabilities, effective: capabilities, permitted: capabilities },
    noNewPrivileges: getAt(container, 'securityContext', 'allowPrivilegeEscalation') === false,
  };
}

/** Who a container runs as: its own securityContext over that of the pod over the image, which is root here. */
export function userOf(
  pod: KubeObject,
  container: JsonValue,
  users: string,
): { uid: number; gid: number; groups: number[] } {
  const setting = (name: string) =>
    getAt(container, 'securityContext', name) ?? getAt(pod, 'spec', 'securityContext', name);
  const uid = Number(setting('runAsUser') ?? 0);
  if (uid === 0 && setting('runAsNonRoot') === true) {
    const where = `(pod: "${nameOf(pod)}_${namespaceOf(pod)}(${pod.metadata.uid})", container: ${stringAt(container, 'name')})`;
    throw new ConfigError(`container has runAsNonRoot and image will run as root ${where}`);
  }
  const line = users.split('\n').find((each) => each.split(':')[2] === String(uid));
  const gid = Number(setting('runAsGroup') ?? line?.split(':')[3] ?? 0);
  const fsGroup = numberAt(pod, 'spec', 'securityContext', 'fsGroup');
  const more = arrayAt(pod, 'spec', 'securityContext', 'supplementalGroups').map(Number);
  return { uid, gid, groups: [...new Set([gid, ...(fsGroup === undefined ? [] : [fsGroup]), ...more])] };
}

function capabilitiesOf(container: JsonValue): string[] {
  const listed = (name: string) =>
    arrayAt(container, 'securityContext', 'capabilities', name).map((each) => String(each).replace(/^CAP_/, ''));
  const dropped = new Set(listed('drop'));
  const kept = dropped.has('ALL') ? [] : DEFAULT_CAPABILITIES.filter((each) => !dropped.has(each));
  return [...new Set([...kept, ...listed('add')])].map((each) => `CAP_${each}`);
}

function bindMount({ source, destination, readOnly }: BindMount): JsonObject {
  return { destination, type: 'bind', source, options: ['rbind', 'rprivate', readOnly ? 'ro' : 'rw'] };
}

const SYSTEM_MOUNTS: readonly JsonObject[] = [
  { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
  {
    destination: '/dev',
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'strictatime', 'mode=755', 'size=65536k'],
  },
  {
    ...{ destination: '/dev/pts', type: 'devpts', source: 'devpts' },
    options: ['nosuid', 'noexec', 'newinstance', 'ptmxmode=0666', 'mode=0620', 'gid=5'],
  },
  {
    ...{ destination: '/dev/shm', type: 'tmpfs', source: 'shm' },
    options: ['nosuid', 'noexec', 'nodev', 'mode=1777', 'size=65536k'],
  },
  { destination: '/dev/mqueue', type: 'mqueue', source: 'mqueue', options: ['nosuid', 'noexec', 'nodev'] },
  { destination: '/sys', type: 'sysfs', source: 'sysfs', options: ['nosuid', 'noexec', 'nodev', 'ro'] },
];

/** null, zero, full, random, urandom, tty, and terminals: what runc makes in /dev. */
const DEVICES: readonly JsonObject[] = [
  ...[3, 5, 7, 8, 9].map((minor) => ({ allow: true, type: 'c', major: 1, minor, access: 'rwm' })),
  ...[0, 2].map((minor) => ({ allow: true, type: 'c', major: 5, minor, access: 'rwm' })),
  { allow: true, type: 'c', major: 136, access: 'rwm' },
];
