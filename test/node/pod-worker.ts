import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, getAt, type JsonValue, numberAt, stringAt } from '@/lib/json/json';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { ConfigError } from './config-sources';
import { writeSystemFiles } from './container-setup';
import { type ContainerRole, ContainerWorker } from './container-worker';
import type { NodeParts, PodContext } from './node-parts';
import { podStatus } from './pod-status';
import { PodVolumes } from './pod-volumes';
import { PODS } from './resources';
import { StatusWriter } from './status-writer';
import { pause } from './tools';

const RETRY_MS = 1_000;

/**
 * One pod on this node.
 *
 * States: *preparing* (volumes, network) → *initializing* (init containers, one after the other) → *running* (all containers at once)
 * → *ended*. {@link stop} leads to the end from each of them; then the pod is deleted from the API.
 */
export class PodWorker {
  readonly containers: readonly ContainerWorker[];
  private readonly volumes: PodVolumes;
  private readonly folder: string;
  private readonly stopper = new AbortController();
  private readonly writer: StatusWriter;
  private address: string | undefined;
  private stopping: Promise<void> | undefined;
  private stopContainers: ((graceMs: number) => void) | undefined;
  private readonly finished: Promise<void>;

  constructor(
    public pod: KubeObject,
    private readonly node: NodeParts,
  ) {
    this.folder = join(node.folder, this.uid);
    mkdirSync(this.folder, { recursive: true });
    this.volumes = new PodVolumes(join(this.folder, 'volumes'), node.volumes);
    this.writer = new StatusWriter(node.cluster, () => this.status());
    const context = this.context();
    const worker = (spec: JsonValue, role: ContainerRole) =>
      new ContainerWorker(spec, role, {
        ...{ node, context, volumes: this.volumes, signal: this.stopper.signal },
        onChange: () => this.writer.schedule(),
      });
    this.containers = [
      ...arrayAt(pod, 'spec', 'initContainers').map((spec) =>
        worker(spec, stringAt(spec, 'restartPolicy') === 'Always' ? 'sidecar' : 'init'),
      ),
      ...arrayAt(pod, 'spec', 'containers').map((spec) => worker(spec, 'main')),
    ];
    this.writer.schedule();
    this.finished = this.run().catch((error: unknown) => {
      node.cluster.log.error('pod.failed', { pod: nameOf(pod), error: messageOf(error) });
    });
  }

  get uid(): string {
    return this.pod.metadata.uid ?? '';
  }

  /** Takes over the newest state of the pod; labels may be files of a volume. */
  update(pod: KubeObject): void {
    this.pod = pod;
    this.refreshVolumes();
  }

  refreshVolumes(): void {
    this.volumes.refresh(this.pod);
  }

  /** Stops the containers within the grace period and deletes the pod from the API. A later call can only shorten the grace period. */
  stop(graceMs: number): Promise<void> {
    this.stopContainers?.(graceMs);
    this.stopping ??= this.stopOnce(graceMs);
    return this.stopping;
  }

  /** Ends at once, without the API: the agent ends, or the pod was deleted by force. */
  async discard(): Promise<void> {
    this.writer.stop();
    this.stopper.abort();
    await Promise.all(this.containers.map((each) => each.terminate(0)));
    await this.finished;
    await this.cleanUp();
  }

  private async stopOnce(graceMs: number): Promise<void> {
    this.stopper.abort();
    const now = new Promise<void>((resolve) => {
      const endMs = Date.now() + graceMs;
      this.stopContainers = (next) => {
        if (Date.now() + next < endMs) setTimeout(resolve, next);
      };
    });
    const mains = this.containers.filter((each) => each.role !== 'sidecar');
    const sidecars = this.containers.filter((each) => each.role === 'sidecar');
    const gentle = (async () => {
      await Promise.all(mains.map((each) => each.terminate(graceMs)));
      await Promise.all(sidecars.map((each) => each.terminate(graceMs)));
    })();
    await Promise.race([gentle, now]);
    await Promise.all(this.containers.map((each) => each.terminate(0)));
    await this.finished;
    await this.writer.flush();
    this.writer.stop();
    const target = { ...PODS, namespace: namespaceOf(this.pod), name: nameOf(this.pod) };
    await this.node.cluster.api.delete(target, { gracePeriodSeconds: 0, uid: this.uid }).catch((error: unknown) => {
      this.node.cluster.log.warn('pod.delete-failed', { pod: nameOf(this.pod), error: messageOf(error) });
    });
    await this.cleanUp();
  }

  private async cleanUp(): Promise<void> {
    await this.volumes.release();
    if (this.address !== undefined) await this.node.network.detach(this.uid);
    this.address = undefined;
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async run(): Promise<void> {
    const { signal } = this.stopper;
    if (!(await this.prepare())) return;
    const sidecars: Promise<number>[] = [];
    for (const init of this.containers.filter((each) => each.role !== 'main')) {
      if (signal.aborted) return;
      if (init.role === 'sidecar') {
        sidecars.push(init.supervise());
        while (!signal.aborted && !init.view.isStarted) await pause(RETRY_MS / 10, signal);
      } else if ((await init.supervise()) !== 0) {
        return;
      }
    }
    if (signal.aborted) return;
    await Promise.all(this.containers.filter((each) => each.role === 'main').map((each) => each.supervise()));
    this.stopper.abort();
    const graceMs = (numberAt(this.pod, 'spec', 'terminationGracePeriodSeconds') ?? 30) * 1_000;
    await Promise.all(this.containers.filter((each) => each.role === 'sidecar').map((each) => each.terminate(graceMs)));
    await Promise.all(sidecars);
    this.writer.schedule();
  }

  /** Volumes and network. False when the pod was stopped before. */
  private async prepare(): Promise<boolean> {
    const { signal } = this.stopper;
    let problem = '';
    while (!signal.aborted) {
      try {
        await this.volumes.prepare(this.pod);
        break;
      } catch (error) {
        const message = messageOf(error);
        if (!(error instanceof ConfigError))
          this.node.cluster.log.warn('volume.failed', { pod: nameOf(this.pod), error: message });
        if (message !== problem)
          this.node.cluster.event(this.pod, 'Warning', 'FailedMount', `MountVolume.SetUp failed: ${message}`);
        problem = message;
        await pause(RETRY_MS, signal);
      }
    }
    if (signal.aborted) return false;
    if (getAt(this.pod, 'spec', 'hostNetwork') === true) throw new Error('This node has no pods with hostNetwork.');
    this.address = await this.node.network.attach(this.uid);
    writeSystemFiles(join(this.folder, 'etc'), this.pod, this.address, this.node.address);
    this.writer.schedule();
    return !signal.aborted;
  }

  /** A view of this pod for its containers: what they read is always the newest. */
  private context(): PodContext {
    const worker = this;
    return {
      get pod() {
        return worker.pod;
      },
      get address() {
        return worker.address ?? '';
      },
      etc: join(this.folder, 'etc'),
      folder: this.folder,
    };
  }

  private status() {
    const { pod } = this;
    const inits = this.containers.filter((each) => each.role !== 'main').map((each) => each.view);
    const mains = this.containers.filter((each) => each.role === 'main').map((each) => each.view);
    return {
      pod,
      status: podStatus({ pod, hostIP: this.node.address, podIP: this.address, inits, mains }, Date.now()),
    };
  }
}
