import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringAt } from '@/lib/json/json';
import { projectRoot } from '@/server/runtime/root';
import { killInEachStep } from '@/test/node/kill-in-each-step';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS, SECRETS } from '@/test/node/resources';

const NAMESPACE = { namespace: 'default' } as const;
const CLIENT = readFileSync(join(projectRoot, 'e2e/real/rabbitmq/client.py')).toString('base64');
/** Small nodes: the machine has two processors. */
const PARAMETERS = ['-p', 'SCHEDULERS=1', '-p', 'CPU=0.05', '-p', 'MEMORY=384Mi', '-p', 'STORAGE=256Mi'];

/** What a client that publishes several times a second could not write: attempts that failed, and the longest time between two confirmations, in seconds. */
export interface Writing {
  readonly written: number;
  readonly retries: number;
  readonly longest: number;
}

/** The bundled operator as instance `mq`, and a client that speaks AMQP. */
export class Rabbitmq {
  private constructor(readonly cluster: RealCluster) {}

  static async start(...parameters: readonly string[]): Promise<Rabbitmq> {
    const mq = new Rabbitmq(await startRealCluster());
    const client = mq.cluster.client('client', 'test/pika:1');
    await mq.install('1.0.0', ...parameters);
    await client;
    await mq.sh(`echo ${CLIENT} | base64 -d > /tmp/client.py`);
    return mq;
  }

  async install(version: string, ...parameters: readonly string[]): Promise<void> {
    const more = [...PARAMETERS, ...parameters.flatMap((each) => ['-p', each])];
    await this.cluster.bravo('install', `operators/rabbitmq/${version}`, '--instance', 'mq', ...more, '--wait');
  }

  /** Runs a shell in the pod of the client. */
  sh(script: string): Promise<string> {
    return this.cluster.exec('client', 'sh', '-c', script);
  }

  /** Runs a command of client.py with the URI of the connection Secret, or another one. */
  async client(command: string, queue: string, count = 0, uri?: string): Promise<string> {
    const address = uri ?? (await this.connection('uri'));
    return (await this.sh(`python3 /tmp/client.py ${command} '${address}' ${queue} ${count}`)).trim();
  }

  /** A value of the connection Secret. */
  connection(key: string): Promise<string> {
    return this.secretOf('mq-connection', key);
  }

  async secretOf(name: string, key: string): Promise<string> {
    const secret = await this.cluster.api.get({ ...SECRETS, ...NAMESPACE, name });
    return Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString('utf8');
  }

  /** Starts a plan, and waits for its end. */
  plan(name: string): Promise<string> {
    return this.cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'mq', '--wait');
  }

  /** Changes parameters, and waits for the end of the plan that this starts. */
  update(...parameters: readonly string[]): Promise<string> {
    return this.cluster.bravo('update', '--instance', 'mq', '--wait', ...parameters.flatMap((each) => ['-p', each]));
  }

  /** Runs a command of RabbitMQ on a node. */
  ctl(node: number, ...command: readonly string[]): Promise<string> {
    const script = '. /scripts/common.sh; export RABBITMQ_NODENAME="$(node "$1")"; shift; "$@"';
    return this.cluster.exec('mq-0', 'bash', '-c', script, 'bash', String(node), ...command);
  }

  /** The numbers of the running members of the cluster. */
  async members(): Promise<number[]> {
    const list = await this.ctl(0, 'rabbitmqctl', '-q', 'eval', 'lists:sort(rabbit_nodes:list_running()).');
    return [...list.matchAll(/rabbit@mq-(\d)\./g)].map(([, number]) => Number(number));
  }

  /** The numbers of the nodes that have a replica of the queue. */
  async replicas(queue: string): Promise<number[]> {
    const list = await this.ctl(0, 'rabbitmqctl', '-q', 'list_queues', 'name', 'online', '--no-table-headers');
    const line = list.split('\n').find((each) => each.startsWith(`${queue}\t`)) ?? '';
    return [...line.matchAll(/rabbit@mq-(\d)\./g)].map(([, number]) => Number(number)).sort();
  }

  /** What the pods of a Job left as their termination messages. */
  messageOf(job: string): Promise<string> {
    return this.cluster.jobMessage(`rabbitmq-${job}`);
  }

  /** The name of the backup that a Job wrote. */
  async backupOf(job: string): Promise<string> {
    const [, name = ''] = /"type":"backup","name":"([^"]+)"/.exec(await this.messageOf(job)) ?? [];
    return name;
  }

  /** Starts a plan and kills the controller with SIGKILL in each of its steps; resolves with these steps, `PHASE.STEP`. */
  killingIn(plan: string, ...words: readonly string[]): Promise<string[]> {
    return killInEachStep(this.cluster, { instance: 'mq', plan }, ...words);
  }

  /** Runs the steps while a client publishes with confirmations to a queue; notes what it could not write under the name. */
  async whileWriting<T>(queue: string, name: string, steps: () => Promise<T>): Promise<Writing> {
    const uri = await this.connection('uri');
    // It runs by itself: a command of the API has a deadline.
    await this.sh(
      `rm -f /tmp/stop /tmp/writing /tmp/written; (python3 /tmp/client.py write '${uri}' ${queue} > /tmp/log 2>&1; mv /tmp/log /tmp/written) > /dev/null 2>&1 &`,
    );
    await this.cluster.until(() => this.sh('test -e /tmp/writing'));
    await steps().finally(() => this.sh('touch /tmp/stop'));
    const text = await this.cluster.until(() => this.sh('cat /tmp/written'));
    const { written, retries, longest } = JSON.parse(text) as Writing;
    this.figures.set(name, { written, retries, longest });
    return { written, retries, longest };
  }
  private readonly figures = new Map<string, Writing>();

  /** Deletes a node's pod and its volume with it. */
  async loseVolume(number: number): Promise<void> {
    const before = await this.cluster.podReady(`mq-${number}`);
    await this.cluster.api.delete({ ...CLAIMS, ...NAMESPACE, name: `data-mq-${number}` });
    await this.cluster.api.delete({ ...PODS, ...NAMESPACE, name: `mq-${number}` }, { gracePeriodSeconds: 0 });
    await this.cluster.podReady(`mq-${number}`, before.metadata.uid);
  }

  stop(): Promise<void> {
    process.stdout.write(`figures of rabbitmq: ${JSON.stringify(Object.fromEntries(this.figures))}\n`);
    return this.cluster.stop();
  }
}
