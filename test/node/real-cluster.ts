import { join } from 'node:path';
import { systemClock } from '@/lib/clock/clock';
import { messageOf } from '@/lib/errors/errors';
import { arrayAt, type JsonObject, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { loadCluster } from '@/server/kube/credentials';
import { type ClosableApi, createApi } from '@/server/kube/http-api';
import { freePort, type Running, startProgram, stopAll, temporaryFolder } from '@/test/programs/process';
import { CLAIMS, EVENTS, PODS, SECRETS } from './resources';
import { pause } from './tools';

const NAMESPACE = 'default';
const OUTPUT_BYTES = 16 * 1024 * 1024;
const POLL_MS = 250;

interface Programs {
  readonly kubeconfig: string;
  readonly sandbox: Running;
  readonly startNode: () => Promise<Running>;
  readonly startController: () => Promise<Running>;
}

/** The programs end with this process, also when it is killed. */
const ENDS_WITH_US = ['--pdeathsig', 'KILL'];

/** Starts a sandbox without simulated pods, a node agent and a controller, each a process. */
export async function startRealCluster(): Promise<RealCluster> {
  // The worker of a test runner that was killed would go on alone; its programs, the node agent too, end with it.
  process.once('disconnect', () => process.exit(1));
  const folder = temporaryFolder('real');
  const kubeconfig = join(folder, 'kubeconfig');
  const started = async (running: Running, text: string) => {
    await running.printed(text);
    return running;
  };
  const port = String(await freePort());
  const sandboxArgs = ['sandbox', '--no-pods', '--port', port, '--data-dir', join(folder, 'data')];
  const nodeArgs = ['--kubeconfig', kubeconfig, '--restart-backoff', '2'];
  const controllerArgs = ['controller', '--install-crds', '--kubeconfig', kubeconfig];
  const startNode = () => started(startProgram('scripts/node-agent.mjs', nodeArgs, {}, 'pipe'), 'The node is ready');
  const bravo = (words: readonly string[]) => startProgram('setpriv', [...ENDS_WITH_US, 'bin/bravo', ...words]);
  const startController = () => started(bravo(controllerArgs), 'lease.held');
  try {
    const sandbox = bravo([...sandboxArgs, '--write-kubeconfig', kubeconfig]);
    await sandbox.printed('The sandbox serves');
    const programs = { kubeconfig, sandbox, startNode, startController };
    return new RealCluster(programs, ...(await Promise.all([startNode(), startController()])));
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** A cluster with one real node, and the verbs that tests of operators need. All pods are in the namespace `default`. */
export class RealCluster {
  readonly api: ClosableApi;
  private console: Running | undefined;

  constructor(
    private readonly programs: Programs,
    private node: Running,
    private controller: Running,
  ) {
    this.api = createApi(loadCluster({ kubeconfigPath: programs.kubeconfig }), { clock: systemClock });
  }

  get kubeconfig(): string {
    return this.programs.kubeconfig;
  }

  /**
   * Runs the command line. Resolves with its output; rejects when its exit code is not 0. A plan that deletes or replaces data is
   * confirmed as its refusal says, which comes before anything is written.
   */
  async bravo(...words: readonly string[]): Promise<string> {
    const first = await this.run(words);
    const [, confirmation] = /add --confirm (\S+)/.exec(first.output) ?? [];
    const isRefused = first.code !== 0 && confirmation !== undefined && !words.includes('--confirm');
    const { code, output } = isRefused ? await this.run([...words, '--confirm', confirmation]) : first;
    if (code === 0) return output;
    throw new Error(`bravo ${words.join(' ')} ended with ${code}: ${output}`);
  }

  private async run(words: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
    const command = startProgram('bin/bravo', [...words, '--kubeconfig', this.kubeconfig]);
    const { code } = await command.exited();
    return { code, output: command.output() };
  }

  /** Runs a command in the first container of a pod. @throws Error with what it wrote when its exit code is not 0 */
  async exec(pod: string, ...command: readonly string[]): Promise<string> {
    return Buffer.from(await this.api.exec(target(pod), { command, maxBytes: OUTPUT_BYTES })).toString('utf8');
  }

  /** The log of a pod's first container, or of another one. */
  async log(pod: string, container?: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.api.log(target(pod), { container })) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** The pods with a label `app.kubernetes.io/name`; all without one. */
  async pods(name?: string): Promise<readonly KubeObject[]> {
    const options = name === undefined ? {} : { labelSelector: `app.kubernetes.io/name=${name}` };
    return (await this.api.list(target(), options)).items;
  }

  /** A value of a Secret; empty when it does not exist. */
  async secret(name: string, key: string): Promise<string> {
    const secret = await this.api.get({ ...SECRETS, namespace: NAMESPACE, name });
    return Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString('utf8');
  }

  /** What the health checks of an Instance said last, in the order of its package: `Passing: 3 of 3 members vote`. */
  async health(instance: string): Promise<string[]> {
    const found = await this.api.get({ ...INSTANCES, namespace: NAMESPACE, name: instance });
    const checks = arrayAt(found, 'status', 'healthChecks');
    return checks.map((check) => `${stringAt(check, 'status')}: ${stringAt(check, 'message')}`);
  }

  /** Everything that a password must not be in: logs, pods, events and Instances, as one text. */
  async everythingShown(): Promise<string> {
    const pods = await this.pods();
    const logs = pods.flatMap((pod) => {
      const containers = [...arrayAt(pod.spec, 'initContainers'), ...arrayAt(pod.spec, 'containers')];
      return containers.map((each) => this.log(pod.metadata.name ?? '', stringAt(each, 'name')).catch(() => ''));
    });
    const events = await this.api.list({ ...EVENTS, namespace: NAMESPACE });
    const instances = await this.api.list({ ...INSTANCES, namespace: NAMESPACE });
    return JSON.stringify([await Promise.all(logs), pods, events, instances.items.map(({ status }) => status)]);
  }

  /** The termination messages of all pods of a Job, by the label `app.kubernetes.io/name`; one line each. */
  async jobMessage(name: string): Promise<string> {
    const pods = await this.pods(name);
    const statuses = pods.flatMap((pod) => [
      ...arrayAt(pod.status, 'initContainerStatuses'),
      ...arrayAt(pod.status, 'containerStatuses'),
    ]);
    const messages = statuses.map((status) => stringAt(status, 'state', 'terminated', 'message') ?? '');
    return messages.filter((message) => message !== '').join('\n');
  }

  /** Starts a pod that only waits, to run commands in as a client. Resolves when it is ready. */
  async client(name: string, image: string): Promise<void> {
    const container = { name: 'client', image, command: ['sh', '-c', 'trap "exit 0" TERM; sleep 100000 & wait'] };
    await this.startPod(name, { containers: [container] });
  }

  /** Starts a pod that ends a second after it is asked to. Resolves when it is ready. */
  async startPod(name: string, spec: JsonObject): Promise<void> {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { terminationGracePeriodSeconds: 1, ...spec },
    };
    await this.api.create(target(), pod);
    await this.podReady(name);
  }

  /** Kills the processes of a pod of a StatefulSet with SIGKILL. Resolves when its successor is ready. */
  async killPod(name: string): Promise<void> {
    const before = await this.podReady(name);
    await this.api.delete(target(name), { gracePeriodSeconds: 0 });
    await this.podReady(name, before.metadata.uid);
  }

  /** Deletes the volume of a pod of a StatefulSet, and the pod. Resolves when its successor is ready. */
  async loseVolume(pod: string): Promise<void> {
    const before = await this.podReady(pod);
    await this.api.delete({ ...CLAIMS, namespace: NAMESPACE, name: `data-${pod}` });
    await this.api.delete(target(pod));
    await this.podReady(pod, before.metadata.uid);
  }

  /** Resolves when the pod is ready, as another object than the given uid when there is one. */
  podReady(name: string, otherThanUid?: string): Promise<KubeObject> {
    return this.until(async () => {
      const found = await this.api.get(target(name));
      const ready = arrayAt(found, 'status', 'conditions').find((each) => stringAt(each, 'type') === 'Ready');
      const isReady = stringAt(ready, 'status') === 'True';
      if (found !== undefined && isReady && found.metadata.uid !== otherThanUid) return found;
      throw new Error(`Pod ${name} is not ready: ${JSON.stringify(found?.status)}`);
    });
  }

  /** Repeats a check until it does not throw. Rejects with its last error when the time is over. */
  async until<T>(check: () => Promise<T>, withinMs = 120_000): Promise<T> {
    const endMs = Date.now() + withinMs;
    for (;;) {
      try {
        return await check();
      } catch (error) {
        if (Date.now() > endMs) throw new Error(`Not within ${withinMs} ms: ${messageOf(error)}`);
        await pause(POLL_MS);
      }
    }
  }

  /** Kills the node agent with SIGKILL and starts another one, on empty disks. */
  async replaceNode(): Promise<void> {
    this.node.child.kill('SIGKILL');
    await this.node.exited();
    this.node = await this.programs.startNode();
  }

  /** Kills the controller with SIGKILL and starts another one. */
  async replaceController(): Promise<void> {
    this.controller.child.kill('SIGKILL');
    await this.controller.exited();
    this.controller = await this.programs.startController();
  }

  /** Starts a console for this cluster, without a controller of its own. Resolves with its address. */
  async startConsole(): Promise<string> {
    const port = String(await freePort());
    const settings = { PORT: port, BRAVO_DATA: temporaryFolder('console') };
    this.console = startProgram(
      'setpriv',
      [...ENDS_WITH_US, 'bin/bravo', 'console', '--kubeconfig', this.kubeconfig],
      settings,
    );
    // Where the pages were not built yet, they are now.
    await this.console.printed('Bravo is ready', 240_000);
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    await this.console?.stop();
    await this.api.close();
    await this.controller.stop();
    // The end of its input asks the agent to remove everything.
    this.node.child.stdin?.end();
    const { code } = await this.node.exited();
    await this.programs.sandbox.stop();
    if (code !== 0) throw new Error(`The node agent ended with ${code}: ${this.node.output()}`);
  }
}

/** A pod, or all pods. */
function target(name?: string) {
  return { ...PODS, namespace: NAMESPACE, name };
}
