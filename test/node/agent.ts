import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { messageOf } from '@/lib/errors/errors';
import { stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { ClaimVolumes } from './claim-volumes';
import { Cluster } from './cluster';
import { ContainerRuntime } from './container-runtime';
import { startDnsServer } from './dns-server';
import { startKubeletServer } from './kubelet-server';
import { nodeLabels, registerNode } from './node-object';
import type { NodeParts } from './node-parts';
import { nodeAddresses, PodNetwork } from './pod-network';
import { PodWorker } from './pod-worker';
import { PODS } from './resources';
import { rootFilesOf } from './root-files';
import { Scheduler } from './scheduler';
import { ServiceProxy } from './service-proxy';
import { runTool } from './tools';

export interface AgentOptions {
  readonly kubeconfigPath: string;
  readonly nodeName: string;
  readonly restartBackoffMs: number;
}

const SLOTS = 20;
const KUBELET_PORT = 10_250;
const DNS_PORT = 53;

/** The name of everything on the machine that belongs to one agent. */
const prefixOf = (slot: number) => `bravo-node-${slot}`;

/**
 * Runs the node until `stop`. The process is to be in a PID namespace and a mount namespace of its own (see
 * scripts/node-agent.mjs): the kernel ends containers and mounts with it.
 */
export async function startAgent(options: AgentOptions): Promise<{ stop(): Promise<void> }> {
  const slot = await takeSlot();
  const folder = folderOf(slot);
  mkdirSync(folder, { recursive: true });
  const { node: address, podRange } = nodeAddresses(slot);
  const cluster = new Cluster(options.kubeconfigPath);
  await cluster.synced();
  const network = new PodNetwork(slot, join(folder, 'addresses'));
  await network.start();
  const claims = new ClaimVolumes(join(folder, 'claims'), cluster, options.nodeName);
  const parts: NodeParts = {
    ...{ cluster, network, address, restartBackoffMs: options.restartBackoffMs, folder: join(folder, 'pods') },
    runtime: new ContainerRuntime(folder, `/${prefixOf(slot)}`),
    volumes: {
      sources: cluster,
      claimFolder: (namespace, name) => claims.folderOf(namespace, name),
      token: (pod, audience) => cluster.token(pod, audience),
    },
    rootFiles: rootFilesOf,
  };
  const workers = new Map<string, PodWorker>();
  const proxy = new ServiceProxy(prefixOf(slot).replaceAll('-', '_'), podRange, cluster);
  const dns = await startDnsServer(address, DNS_PORT, () => proxy.objects());
  const kubelet = await startKubeletServer(address, KUBELET_PORT, (namespace, pod, name) =>
    [...workers.values()]
      .find((each) => namespaceOf(each.pod) === namespace && nameOf(each.pod) === pod)
      ?.containers.find((each) => each.name === name),
  );
  await claims.ensureClass();
  await registerNode(cluster, options.nodeName, address, KUBELET_PORT);
  connect({ cluster, claims, parts, workers, proxy, nodeName: options.nodeName });
  return {
    async stop() {
      await cluster.stop();
      await Promise.all([...workers.values()].map((worker) => worker.discard()));
      dns.close();
      kubelet.closeAllConnections();
      kubelet.close();
      await proxy.stop();
      await network.stop();
      await removeLeftovers(slot);
    },
  };
}

interface Connected {
  readonly cluster: Cluster;
  readonly claims: ClaimVolumes;
  readonly parts: NodeParts;
  readonly workers: Map<string, PodWorker>;
  readonly proxy: ServiceProxy;
  readonly nodeName: string;
}

/** Lets every change in the cluster reach the part that it concerns. */
function connect({ cluster, claims, parts, workers, proxy, nodeName }: Connected): void {
  const scheduler = new Scheduler(cluster, nodeName, nodeLabels(nodeName));
  const attempt = (what: string, work: Promise<unknown>) => {
    work.catch((error: unknown) => cluster.log.warn(`${what}.failed`, { error: messageOf(error) }));
  };
  const onPod = (pod: KubeObject) => {
    if (stringAt(pod, 'spec', 'nodeName') === nodeName) attempt('pod', takePod(pod, parts, workers));
    else scheduler.schedule(pod);
  };
  const onClaim = (claim: KubeObject) => {
    attempt('claim', claims.reconcileClaim(claim));
    scheduler.scheduleAll();
  };
  cluster.pods.onChange(({ type, object }) => {
    if (type === 'DELETED') attempt('pod', forgetPod(object, workers));
    else onPod(object);
  });
  cluster.claims.onChange(({ object }) => onClaim(object));
  cluster.volumes.onChange(({ type, object }) => {
    attempt('volume', type === 'DELETED' ? claims.volumeDeleted(object) : claims.reconcileVolume(object));
  });
  for (const cache of [cluster.configMaps, cluster.secrets]) {
    cache.onChange(({ object }) => {
      for (const worker of workers.values()) {
        if (namespaceOf(worker.pod) === namespaceOf(object)) worker.refreshVolumes();
      }
    });
  }
  for (const cache of [cluster.serviceObjects, cluster.endpointSlices]) cache.onChange(() => proxy.schedule());
  proxy.schedule();
  for (const claim of cluster.claims.list()) onClaim(claim);
  for (const pod of cluster.pods.list()) onPod(pod);
}

async function takePod(pod: KubeObject, parts: NodeParts, workers: Map<string, PodWorker>): Promise<void> {
  const uid = pod.metadata.uid ?? '';
  const present = workers.get(uid);
  present?.update(pod);
  const isDeleted = pod.metadata.deletionTimestamp !== undefined;
  if (isDeleted && present !== undefined) {
    await present.stop((pod.metadata.deletionGracePeriodSeconds ?? 30) * 1_000);
    return;
  }
  if (isDeleted) {
    // A pod of an agent that ended before: nothing of it runs any more.
    await parts.cluster.api.delete(
      { ...PODS, namespace: namespaceOf(pod), name: nameOf(pod) },
      { gracePeriodSeconds: 0, uid },
    );
    return;
  }
  const phase = stringAt(pod, 'status', 'phase');
  if (present !== undefined || phase === 'Succeeded' || phase === 'Failed') return;
  workers.set(uid, new PodWorker(pod, parts));
}

async function forgetPod(pod: KubeObject, workers: Map<string, PodWorker>): Promise<void> {
  const uid = pod.metadata.uid ?? '';
  const worker = workers.get(uid);
  workers.delete(uid);
  await worker?.discard();
}

function folderOf(slot: number): string {
  return join('/var/lib/bravo-node', String(slot));
}

/** The smallest number that no other agent of this machine has. What earlier agents left under free numbers is removed. */
async function takeSlot(): Promise<number> {
  let own: number | undefined;
  for (let slot = 0; slot < SLOTS; slot++) {
    if (own !== undefined && !existsSync(folderOf(slot))) continue;
    const lock = await lockSlot(slot);
    if (lock === undefined) continue;
    await removeLeftovers(slot);
    if (own === undefined) own = slot;
    else lock.close();
  }
  if (own === undefined) throw new Error(`There are ${SLOTS} node agents on this machine already.`);
  return own;
}

/** The kernel gives the name back when the process ends, however it ends. */
function lockSlot(slot: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.unref();
    server.once('error', () => resolve(undefined));
    server.listen(`\0${prefixOf(slot)}`, () => resolve(server));
  });
}

/** Mounts, files, rules, interfaces and cgroups of an agent that had this number before and could not clean up. */
async function removeLeftovers(slot: number): Promise<void> {
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  for (const mount of mounts.filter((each) => each.startsWith(`${folderOf(slot)}/`)).reverse()) {
    await runTool('umount', ['--lazy', mount]);
  }
  await runTool('nft', ['delete', 'table', 'ip', prefixOf(slot).replaceAll('-', '_')]);
  // A connection that is still closing keeps a network namespace, and its interface, for minutes.
  const { out } = await runTool('ip', ['route', 'show', 'root', nodeAddresses(slot).podRange]);
  for (const [, device = ''] of out.matchAll(/ dev (veth\w+)/g)) await runTool('ip', ['link', 'delete', device]);
  const root = '/sys/fs/cgroup';
  const roots = [
    root,
    ...readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(root, entry.name)] : [],
    ),
  ];
  for (const each of roots) removeGroups(join(each, prefixOf(slot)));
  await runTool('ip', ['address', 'delete', `${nodeAddresses(slot).node}/32`, 'dev', 'lo']);
  // Last, because it says that something may be left.
  rmSync(folderOf(slot), { recursive: true, force: true });
}

function removeGroups(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroups(join(folder, entry.name));
  }
  try {
    rmdirSync(folder);
  } catch {
    // A process in it is still ending; the next start removes the group.
  }
}
