import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { arrayAt, stringAt } from '@/lib/json/json';
import { projectRoot } from '@/server/runtime/root';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS, SECRETS } from '@/test/node/resources';

const NAMESPACE = { namespace: 'default' } as const;
const JOBS = { group: 'batch', version: 'v1', resource: 'jobs', ...NAMESPACE } as const;
const CLIENT = readFileSync(join(projectRoot, 'e2e/real/rabbitmq/client.py')).toString('base64');
/** Small nodes: the machine has two processors. */
const PARAMETERS = ['-p', 'SCHEDULERS=1', '-p', 'CPU=0.05', '-p', 'MEMORY=384Mi', '-p', 'STORAGE=256Mi'];

/** The bundled operator as instance `mq`, and a client that speaks AMQP. */
export class Rabbitmq {
  private constructor(readonly cluster: RealCluster) {}

  static async start(...parameters: readonly string[]): Promise<Rabbitmq> {
    const mq = new Rabbitmq(await startRealCluster());
    const client = mq.cluster.client('client', 'test/pika:1');
    const more = [...PARAMETERS, ...parameters.flatMap((each) => ['-p', each])];
    await mq.cluster.bravo('install', 'operators/rabbitmq/1.0.0', '--instance', 'mq', ...more, '--wait');
    await client;
    await mq.sh(`echo ${CLIENT} | base64 -d > /tmp/client.py`);
    return mq;
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
  async connection(key: string): Promise<string> {
    const secret = await this.cluster.api.get({ ...SECRETS, ...NAMESPACE, name: 'mq-connection' });
    return Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString('utf8');
  }

  /** Starts a plan, and waits for its end. */
  plan(name: string): Promise<string> {
    return this.cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'mq', '--wait');
  }

  /** Changes a parameter, and waits for the end of the plan that it starts. */
  update(parameter: string): Promise<string> {
    const confirmation = parameter.startsWith('RESTORE_FROM=') ? ['--confirm', 'restore/mq'] : [];
    return this.cluster.bravo('update', '--instance', 'mq', '--wait', '-p', parameter, ...confirmation);
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

  /** What the last pod of a Job left as its termination message. */
  async messageOf(job: string): Promise<string> {
    const { items } = await this.cluster.api.list({ ...PODS, ...NAMESPACE }, { labelSelector: `job-name=mq-${job}` });
    const newest = items.sort((a, b) => (a.metadata.uid === b.metadata.uid ? 0 : 1)).at(-1);
    const [message = ''] = arrayAt(newest, 'status', 'containerStatuses').map(
      (each) => stringAt(each, 'state', 'terminated', 'message') ?? '',
    );
    return message;
  }

  /** Kills the controller with SIGKILL when each of the Jobs of a plan exists as another object than before. */
  async killControllerIn(...jobs: readonly string[]): Promise<void> {
    for (const job of jobs) {
      const before = this.seen.get(job);
      const uid = await this.cluster.until(async () => {
        const found = await this.cluster.api.get({ ...JOBS, name: `mq-${job}` });
        expect(found?.metadata.uid).toBeDefined();
        expect(found?.metadata.uid).not.toBe(before);
        return found?.metadata.uid;
      });
      this.seen.set(job, uid);
      await this.cluster.replaceController();
    }
  }

  /** Remembers the Jobs that exist. */
  async rememberJobs(): Promise<void> {
    const { items } = await this.cluster.api.list(JOBS);
    for (const { metadata } of items) this.seen.set((metadata.name ?? '').replace(/^mq-/, ''), metadata.uid);
  }
  private readonly seen = new Map<string, string | undefined>();

  /** Deletes a node's pod and its volume with it. */
  async loseVolume(number: number): Promise<void> {
    const before = await this.cluster.podReady(`mq-${number}`);
    await this.cluster.api.delete({ ...CLAIMS, ...NAMESPACE, name: `data-mq-${number}` });
    await this.cluster.api.delete({ ...PODS, ...NAMESPACE, name: `mq-${number}` }, { gracePeriodSeconds: 0 });
    await this.cluster.podReady(`mq-${number}`, before.metadata.uid);
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
}
