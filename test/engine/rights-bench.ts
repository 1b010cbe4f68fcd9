import { VirtualClock } from '@/lib/clock/virtual-clock';
import type { KubeObject } from '@/lib/kube/object';
import type { LiveFrame } from '@/lib/live/frames';
import { type Topic, topics } from '@/lib/live/topic';
import { seededRandom } from '@/lib/random/random';
import type { Api, RawRequest } from '@/server/kube/api';
import { plainCluster } from '@/server/kube/credentials';
import { createApi } from '@/server/kube/http-api';
import { installCrds } from '@/server/kube/install-crds';
import type { LiveHub } from '@/server/live/hub';
import { openLiveStream } from '@/server/live/stream';
import { silentLog } from '@/server/log/log';
import type { Reader } from '@/server/rights/person-rights';
import type { Rights } from '@/server/rights/rights';
import { openHub } from '@/server/runtime/open-hub';
import { openRights } from '@/server/runtime/open-rights';
import { type Sandbox, startSandbox } from '@/server/sandbox/sandbox';
import { drive, settleTurns } from './virtual-time';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };

/** A request that reached the API server, with who sent it. */
export interface SentRequest {
  readonly user: string;
  readonly method: string;
  readonly path: string;
}

/** A console's rights over a real sandbox, on a virtual clock; persons are impersonated. */
export class RightsBench {
  readonly sent: SentRequest[] = [];
  readonly admin: Api;
  /** The console's own account. */
  readonly api: Api;
  readonly hub: LiveHub;
  readonly rights: Rights;

  private constructor(
    readonly clock: VirtualClock,
    readonly sandbox: Sandbox,
  ) {
    this.admin = this.apiOf('admin', []);
    this.api = this.apiOf('console', ['system:masters']);
    this.hub = openHub(this.parts(this.api));
    this.rights = openRights({ ...this.parts(this.api), hub: this.hub });
  }

  static async start(): Promise<RightsBench> {
    const clock = new VirtualClock();
    const random = seededRandom('rights');
    const sandbox = await startSandbox({ port: 'none', mode: 'full', podDelayMs: 0, clock, random });
    const bench = new RightsBench(clock, sandbox);
    await bench.run(installCrds(bench.admin, clock));
    return bench;
  }

  async stop(): Promise<void> {
    this.rights.close();
    this.hub.close();
    await drive(this.clock, this.sandbox.stop());
  }

  run<T>(promise: Promise<T>): Promise<T> {
    return drive(this.clock, promise);
  }

  async pass(durationMs: number): Promise<void> {
    const endMs = this.clock.now() + durationMs;
    for (;;) {
      await settleTurns();
      const dueMs = this.clock.nextDueMs();
      if (dueMs === undefined || dueMs > endMs) break;
      this.clock.runNext();
    }
    await this.clock.advance(Math.max(0, endMs - this.clock.now()));
  }

  apiOf(user: string, groups: readonly string[] = ['system:authenticated']): Api {
    const cluster = plainCluster({ server: 'https://sandbox' });
    const random = seededRandom(user);
    const transport = {
      request: (request: RawRequest) => {
        this.sent.push({ user, method: request.method, path: request.path });
        const who = user === 'admin' ? {} : { 'impersonate-user': user, 'impersonate-group': groups.join(',') };
        const authorization = `Bearer ${this.sandbox.adminToken}`;
        return this.sandbox.inject({ ...request, headers: { ...request.headers, authorization, ...who } });
      },
      openSocket: () => Promise.reject(new Error('no sockets here')),
      close: () => Promise.resolve(),
    };
    return createApi(cluster, { clock: this.clock, random, transport });
  }

  person(name: string): Reader {
    return { identity: name, user: { name }, api: this.apiOf(name) };
  }

  async namespace(name: string): Promise<void> {
    await this.create(
      { group: '', version: 'v1', resource: 'namespaces' },
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
    );
  }

  async instance(namespace: string, name: string): Promise<void> {
    const spec = { operatorVersion: { name: 'none' } };
    const object = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { namespace, name }, spec };
    await this.create({ ...topics.instances, namespace }, object);
  }

  /** Binds ClusterRole `role` to a user in a namespace. */
  async bind(user: string, role: string, namespace: string): Promise<void> {
    const subjects = [{ kind: 'User', name: user, apiGroup: RBAC.group }];
    const roleRef = { apiGroup: RBAC.group, kind: 'ClusterRole', name: role };
    const metadata = { namespace, name: `${user}-${role}` };
    const object = { apiVersion: `${RBAC.group}/v1`, kind: 'RoleBinding', metadata, subjects, roleRef };
    await this.create({ ...RBAC, resource: 'rolebindings', namespace }, object);
  }

  async unbind(user: string, role: string, namespace: string): Promise<void> {
    await this.run(this.admin.delete({ ...RBAC, resource: 'rolebindings', namespace, name: `${user}-${role}` }));
  }

  async role(name: string, rules: readonly { [key: string]: readonly string[] }[]): Promise<void> {
    const object = { apiVersion: `${RBAC.group}/v1`, kind: 'ClusterRole', metadata: { name }, rules: rules as never };
    await this.create({ ...RBAC, resource: 'clusterroles' }, object);
  }

  async create(target: Parameters<Api['create']>[0], object: KubeObject): Promise<void> {
    await this.run(this.admin.create(target, object));
  }

  /** A console whose own account may read only these core resources. */
  narrowed(resources: readonly string[]): { browse: RightsBench['browse']; close: () => void } {
    const api = this.apiOf(`narrow-${resources.join('-')}`, ['narrow']);
    const hub = openHub(this.parts(api));
    const rights = openRights({ ...this.parts(api), hub });
    return {
      browse: (person, wanted) => new Browser({ clock: this.clock, rights }, person, wanted),
      close: () => {
        rights.close();
        hub.close();
      },
    };
  }

  /** A browser of a person: what it knows of each topic after all frames so far. */
  browse(person: Reader, wanted: readonly Topic[]): Browser {
    return new Browser(this, person, wanted);
  }

  private parts(api: Api) {
    return { api, clock: this.clock, random: seededRandom('hub'), log: silentLog };
  }
}

/** Reads a stream to its end and keeps the objects of every topic, as the store of a page does. */
export class Browser {
  readonly frames: LiveFrame[] = [];
  private readonly known = new Map<string, string>();
  private readonly abort = new AbortController();
  refusal: string | undefined;

  constructor(bench: Pick<RightsBench, 'clock' | 'rights'>, person: Reader, wanted: readonly Topic[]) {
    const stream = openLiveStream({
      hub: bench.rights.sourceOf(person),
      clock: bench.clock,
      version: 'test',
      view: '',
      controllerState: () => 'off',
      signal: this.abort.signal,
      subscriptions: wanted.map((topic) => ({ topic, cursor: undefined })),
    });
    void this.read(stream);
  }

  /** `namespace/name` of every object, in order. */
  get objects(): string[] {
    return [...this.known.values()].sort();
  }

  close(): void {
    this.abort.abort();
  }

  private async read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    const reader = stream.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const [, data = ''] of decoder.decode(value).matchAll(/^data: (.*)$/gm)) this.take(JSON.parse(data));
    }
  }

  private take(frame: LiveFrame): void {
    this.frames.push(frame);
    if (frame.type === 'problem') this.refusal = frame.problem.message;
    if (frame.type !== 'snapshot' && frame.type !== 'delta') return;
    this.refusal = undefined;
    if (frame.type === 'snapshot') this.known.clear();
    for (const { metadata } of frame.type === 'snapshot' ? frame.objects : frame.changed) {
      const name = [metadata.namespace, metadata.name].filter(Boolean).join('/');
      this.known.set(name, name);
    }
    if (frame.type === 'delta') for (const gone of frame.deleted) this.known.delete(`${gone.namespace}/${gone.name}`);
  }
}
