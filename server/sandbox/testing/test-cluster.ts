import { VirtualClock } from '@/lib/clock/virtual-clock';
import { type JsonValue, stringAt } from '@/lib/json/json';
import type { GroupVersionResource, KubeObject } from '@/lib/kube/object';
import { seededRandom } from '@/lib/random/random';
import type { SandboxApi } from '../api';

import { prepareCluster } from '../bootstrap/prepare-cluster';
import { makeSandboxApi } from '../in-process/sandbox-api';
import { builtinStrategy } from '../kinds/strategies';
import { ResourceTable } from '../registry/resource-table';
import { memoryLog } from '../store/log';
import { ObjectStore } from '../store/object-store';
import { resources } from '../workloads/core/resources';
import { startWorkloads, type Workloads } from '../workloads/workloads';

/** For tests: the sandbox's registry in memory with its workloads, without HTTP, on a clock that the test moves. */
export class TestCluster {
  readonly clock = new VirtualClock(1_780_000_000_000);
  readonly api: SandboxApi;
  workloads: Workloads;
  private readonly store = new ObjectStore({ log: memoryLog(), schedule: queueMicrotask });

  constructor(private readonly options: { mode?: 'full' | 'no-pods'; podDelayMs?: number; seed?: string } = {}) {
    const random = seededRandom(options.seed ?? 'workloads');
    const registry = { store: this.store, table: new ResourceTable(builtinStrategy), clock: this.clock, random };
    prepareCluster(registry);
    this.api = makeSandboxApi(registry);
    this.create(resources.namespaces, { metadata: { name: 'demo' } });
    this.workloads = this.start();
  }

  /** Stops the controllers and starts new ones over the same store, as a restart of the sandbox does. */
  restart(): void {
    this.workloads.stop();
    this.workloads = this.start();
  }

  private start(): Workloads {
    const { mode = 'full', podDelayMs = 0, seed = 'workloads' } = this.options;
    const random = seededRandom(`${seed}-2`);
    const caCertificate = 'certificate';
    return startWorkloads({
      api: this.api,
      clock: this.clock,
      random,
      podDelayMs,
      mode,
      caCertificate,
      signToken: () => 'token',
    });
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let calm = 0, turn = 0; calm < 5; turn++) {
      if (turn > 20_000) throw new Error('the cluster does not settle');
      await Promise.resolve();
      const idle = this.workloads.idle && this.store.committedRevision === this.store.revision;
      calm = idle ? calm + 1 : 0;
    }
  }

  /** Moves the clock on, with everything that falls due. */
  async advance(ms: number): Promise<void> {
    const endMs = this.clock.now() + ms;
    await this.settle();
    for (let due = this.clock.nextDueMs(); due !== undefined && due <= endMs; due = this.clock.nextDueMs()) {
      this.clock.runNext();
      await this.settle();
    }
    await this.clock.advance(endMs - this.clock.now());
    await this.settle();
  }

  /** Creates an object of a built-in resource; kind and apiVersion are those of the resource. */
  create(
    resource: GroupVersionResource,
    object: { metadata: KubeObject['metadata']; [key: string]: unknown },
  ): KubeObject {
    const kind =
      this.api.resources().find((each) => each.resource === resource.resource && each.group === resource.group)?.kind ??
      '';
    const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
    const { namespace } = object.metadata;
    return this.api.create(namespace === undefined ? resource : { ...resource, namespace }, {
      apiVersion,
      kind,
      ...object,
    });
  }

  get(resource: GroupVersionResource, name: string, namespace = 'demo'): KubeObject | undefined {
    const namespaced = this.api.resources().find((each) => each.resource === resource.resource)?.namespaced ?? true;
    return this.api.get(namespaced ? { ...resource, namespace, name } : { ...resource, name });
  }

  /** All objects of namespace demo; of all namespaces with ''. */
  list(resource: GroupVersionResource, namespace = 'demo'): readonly KubeObject[] {
    return this.api.list(namespace === '' ? resource : { ...resource, namespace });
  }

  patch(resource: GroupVersionResource, name: string, patch: JsonValue): void {
    this.api.patch({ ...resource, namespace: 'demo', name }, patch);
  }

  delete(resource: GroupVersionResource, name: string, options: Parameters<SandboxApi['delete']>[1] = {}): void {
    this.api.delete({ ...resource, namespace: 'demo', name }, options);
  }

  /** `name phase` of every pod of namespace demo. */
  phases(): string[] {
    return this.list(resources.pods).map((pod) => `${pod.metadata.name} ${stringAt(pod, 'status', 'phase')}`);
  }

  /** The reasons of all events about an object, oldest first. */
  reasons(name: string): string[] {
    return this.list(resources.events)
      .filter((event) => stringAt(event, 'involvedObject', 'name') === name)
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map((event) => stringAt(event, 'reason') ?? '');
  }

  /** Everything that a container logged, as text. */
  async logs(pod: string, container?: string): Promise<string> {
    let text = '';
    for await (const chunk of this.workloads.podConsole.log({ namespace: 'demo', pod, container })) {
      text += new TextDecoder().decode(chunk);
    }
    return text;
  }

  /** Runs a command in a pod; what it printed and its exit code. */
  async exec(
    pod: string,
    command: readonly string[],
    more: { container?: string; tty?: boolean; stdin?: string } = {},
  ) {
    const out: Uint8Array[] = [];
    const err: Uint8Array[] = [];
    const { exitCode } = await this.workloads.podConsole.exec({
      namespace: 'demo',
      pod,
      container: more.container,
      command,
      tty: more.tty === true,
      stdin: more.stdin === undefined ? undefined : textStream(more.stdin),
      onStdout: (chunk) => out.push(chunk.slice()),
      onStderr: (chunk) => err.push(chunk.slice()),
    });
    return { exitCode, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() };
  }
}

async function* textStream(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** A pod template with one container. */
export function template(
  app: string,
  container: { [key: string]: JsonValue } = {},
  spec: { [key: string]: JsonValue } = {},
) {
  return {
    metadata: { labels: { app } },
    spec: { containers: [{ name: 'app', image: 'registry.example/app:1', ...container }], ...spec },
  };
}
