import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { arrayAt, type JsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { type KubeObject, namespaceOf } from '@/lib/kube/object';
import { fieldOf, hostNameOf } from '@/server/sandbox/workloads/kubelet/pod-fields';
import { CLUSTER_DOMAIN, resolvConf } from './dns-records';
import { containerCommand, containerEnvironment } from './environment';
import type { ImageDefinition } from './image-definition';
import type { NodeParts, PodContext } from './node-parts';
import type { PodVolumes } from './pod-volumes';
import { type BindMount, processOf, runtimeSpec, type SpecInput } from './runtime-spec';

/** One run of a container, ready to start. */
export interface PreparedContainer {
  readonly id: string;
  readonly spec: JsonObject;
  /** Where the container writes its termination message. */
  readonly messagePath: string;
  /** The process of a command that runs beside it, as the same user with the same environment. */
  execProcess(command: readonly string[]): JsonObject;
}

/**
 * Makes the root file system and the config of one run.
 *
 * @throws ConfigError for what the container needs and does not exist
 */
export async function prepareContainer(
  id: string,
  container: JsonValue,
  image: ImageDefinition,
  { node, context, volumes }: { node: NodeParts; context: PodContext; volumes: PodVolumes },
): Promise<PreparedContainer> {
  const { pod } = context;
  const env = containerEnvironment(withAddress(pod, context.address), container, node.cluster, image.env);
  const args = containerCommand(container, image, env);
  const mounts = volumes.mountsOf(container);
  const lower = await node.rootFiles(image);
  const users = readFileSync(join(lower, 'etc/passwd'), 'utf8');
  const messagePath = join(context.folder, `${stringAt(container, 'name')}.message`);
  const input: Omit<SpecInput, 'rootPath'> = {
    ...{ pod, container, args, env, users, workingDir: image.workingDir },
    mounts: [...mounts, ...systemFiles(context.etc, mounts), messageMount(container, messagePath)],
    networkNamespace: node.network.pathOf(pod.metadata.uid ?? ''),
    cgroupPath: `${node.runtime.cgroup}/${id}`,
  };
  // What is wrong with the configuration is found before anything is mounted.
  processOf({ ...input, rootPath: '' });
  writeFileSync(messagePath, '');
  // As kubelet does: any user of the container may write it. The mode of a new file would be masked.
  chmodSync(messagePath, 0o666);
  const bundle = await node.runtime.prepare(id, lower);
  const complete = { ...input, rootPath: join(bundle, 'root') };
  return {
    id,
    spec: runtimeSpec(complete),
    messagePath,
    execProcess: (command) => processOf({ ...complete, args: command }),
  };
}

/** The agent knows the address before the API does. */
function withAddress(pod: KubeObject, address: string): KubeObject {
  const status = { ...(pod.status as JsonObject | undefined), podIP: address, podIPs: [{ ip: address }] };
  return { ...pod, status };
}

function systemFiles(etc: string, mounts: readonly BindMount[]): BindMount[] {
  return ['hosts', 'hostname', 'resolv.conf']
    .map((name) => ({ source: join(etc, name), destination: `/etc/${name}`, readOnly: false }))
    .filter(({ destination }) => !mounts.some((mount) => mount.destination === destination));
}

function messageMount(container: JsonValue, source: string): BindMount {
  return {
    source,
    destination: stringAt(container, 'terminationMessagePath') ?? '/dev/termination-log',
    readOnly: false,
  };
}

/** Writes /etc/hosts, /etc/hostname and /etc/resolv.conf of a pod into a folder. */
export function writeSystemFiles(folder: string, pod: KubeObject, address: string, nameServer: string): void {
  mkdirSync(folder, { recursive: true });
  const hostname = hostNameOf(pod);
  const subdomain = fieldOf(pod, 'spec.subdomain');
  const namespace = namespaceOf(pod);
  const full = subdomain === '' ? '' : `${hostname}.${subdomain}.${namespace}.svc.${CLUSTER_DOMAIN} `;
  const aliases = arrayAt(pod, 'spec', 'hostAliases').map(
    (alias) => `${stringAt(alias, 'ip')} ${arrayAt(alias, 'hostnames').join(' ')}\n`,
  );
  const hosts = `# Kubernetes-managed hosts file.\n127.0.0.1 localhost\n::1 localhost\n${address} ${full}${hostname}\n${aliases.join('')}`;
  writeFileSync(join(folder, 'hosts'), hosts);
  writeFileSync(join(folder, 'hostname'), `${hostname}\n`);
  writeFileSync(join(folder, 'resolv.conf'), resolvConf(nameServer, namespace));
}
