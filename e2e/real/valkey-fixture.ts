import { arrayAt, stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import type { RealCluster } from '@/test/node/real-cluster';
import { PODS, SECRETS } from '@/test/node/resources';

export const IMAGE = 'valkey/valkey:8.1.1';
const ROWS = `for k = 1, 10000 do redis.call('SET', 'row:' .. k, 'value-' .. (k * 7)) end return redis.call('DBSIZE')`;
const CHECKSUM = `local t = {} for k = 1, 10000 do t[k] = tostring(redis.call('GET', 'row:' .. k)) end
  return redis.sha1hex(table.concat(t, ','))`;
const DESTRUCTIVE = new Set(['restore', 'failover']);
/** Adds numbers to a set, a new connection each, and writes down those that the server confirmed, with the time in ms. */
const WRITER = `cd /tmp; rm -f stop confirmed; n=0
while [ ! -f stop ]; do n=$((n + 1))
  if [ "$(timeout 1 valkey-cli -h vk --no-auth-warning SADD confirmed $n 2>/dev/null)" = 1 ]; then echo "$n $(date +%s%3N)" >>confirmed; fi
done; touch stopped`;

/** The instance `vk` of the bundled operator, as clients and tests use it. */
export class Valkey {
  constructor(private readonly cluster: RealCluster) {}

  async secret(key: string): Promise<string> {
    const secret = await this.cluster.api.get({ ...SECRETS, namespace: 'default', name: 'vk-connection' });
    return Buffer.from(stringAt(secret, 'data', key) ?? '', 'base64').toString('utf8');
  }

  /** Runs a command of a client that has the password, on the Service or on a pod. */
  async client(words: readonly string[], host = 'vk'): Promise<string> {
    const password = await this.secret('password');
    const login = ['env', `REDISCLI_AUTH=${password}`, 'valkey-cli', '-e', '-h', host, '--no-auth-warning'];
    return (await this.cluster.exec('client', ...login, ...words)).trim();
  }

  /** Runs a script in a pod of the instance, beside its server. */
  async sh(pod: string, script: string, ...words: readonly string[]): Promise<string> {
    const options = { container: 'agent', command: ['bash', '-c', script, 'bash', ...words], maxBytes: 1024 * 1024 };
    const output = await this.cluster.api.exec({ ...PODS, namespace: 'default', name: pod }, options);
    return Buffer.from(output).toString('utf8').trim();
  }

  /** Asks the server of a pod with the rights of the pod itself. */
  inside(pod: string, ...words: readonly string[]): Promise<string> {
    return this.sh(pod, '. /scripts/common.sh; . /scripts/volume.sh; here "$@"', ...words);
  }

  writeRows(): Promise<string> {
    return this.client(['EVAL', ROWS, '0']);
  }

  checksum(host = 'vk'): Promise<string> {
    return this.client(['EVAL_RO', CHECKSUM, '0'], host);
  }

  /** The role of each pod, with the pod that a replica follows: `master`, `slave of vk-0`. */
  async roles(pods: number): Promise<string[]> {
    const lines: string[] = [];
    for (let n = 0; n < pods; n++) {
      const [role, host = ''] = (await this.inside(`vk-${n}`, 'ROLE')).split('\n');
      lines.push(role === 'slave' ? `slave of ${host.split('.')[0]}` : String(role));
    }
    return lines;
  }

  /** Starts a plan, and waits for its end. */
  plan(name: string): Promise<string> {
    const confirmation = DESTRUCTIVE.has(name) ? ['--confirm', `${name}/vk`] : [];
    return this.cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'vk', '--wait', ...confirmation);
  }

  set(parameter: string): Promise<string> {
    const confirmation = parameter.startsWith('RESTORE_FROM=') ? ['--confirm', 'restore/vk'] : [];
    return this.cluster.bravo('update', '--instance', 'vk', '--wait', '-p', parameter, ...confirmation);
  }

  /** The log of the server of a pod. */
  async log(pod: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    const target = { ...PODS, namespace: 'default', name: pod };
    for await (const chunk of this.cluster.api.log(target, { container: 'valkey' })) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Starts a client that writes until the result is called, which gives how long it could not write, and that nothing was lost. */
  async writeThroughout(): Promise<() => Promise<{ longestGapMs: number; lost: number }>> {
    const password = await this.secret('password');
    void this.cluster.exec('client', 'env', `REDISCLI_AUTH=${password}`, 'sh', '-c', WRITER).catch(String);
    await this.cluster.until(() => this.cluster.exec('client', 'test', '-s', '/tmp/confirmed'));
    return async () => {
      await this.cluster.exec(
        'client',
        'sh',
        '-c',
        'cd /tmp; n=$(wc -l <confirmed); until [ "$(wc -l <confirmed)" -gt $((n + 3)) ]; do sleep 0.1; done; touch stop; until [ -f stopped ]; do sleep 0.1; done',
      );
      const confirmed = (await this.cluster.exec('client', 'cat', '/tmp/confirmed')).trim().split('\n');
      await this.cluster.exec('client', 'rm', '/tmp/stopped');
      const times = confirmed.map((line) => Number(line.split(' ')[1]));
      const gaps = times.slice(1).map((time, n) => time - (times[n] ?? time));
      const stored = new Set((await this.client(['SMEMBERS', 'confirmed'])).split('\n'));
      const lost = confirmed.filter((line) => !stored.has(line.split(' ')[0] ?? '')).length;
      await this.client(['DEL', 'confirmed']);
      return { longestGapMs: Math.max(...gaps), lost };
    };
  }

  /** What the pods of a Job wrote as their termination messages. */
  async messages(job: string): Promise<string> {
    const labelSelector = `app.kubernetes.io/name=valkey-${job}`;
    const { items } = await this.cluster.api.list({ ...PODS, namespace: 'default' }, { labelSelector });
    const states = items.flatMap((pod) => [
      ...arrayAt(pod, 'status', 'initContainerStatuses'),
      ...arrayAt(pod, 'status', 'containerStatuses'),
    ]);
    return states.map((each) => stringAt(each, 'state', 'terminated', 'message') ?? '').join('\n');
  }

  async backUp(): Promise<string> {
    await this.plan('backup');
    const [, name = ''] = /"name":"(valkey-\d{8}T\d{6}Z)"/.exec(await this.messages('backup')) ?? [];
    return name;
  }

  /** Kills the controller with SIGKILL in each step of a plan that was just started; resolves when the plan has ended. */
  async killInEachStep(plan: string, started: Promise<unknown>): Promise<string[]> {
    const killed: string[] = [];
    let ended = false;
    const end = started.finally(() => {
      ended = true;
    });
    while (!ended) {
      const step = await this.stepInProgress(plan);
      if (step !== undefined && !killed.includes(step)) {
        killed.push(step);
        await this.cluster.replaceController();
      }
    }
    await end;
    return killed;
  }

  private async stepInProgress(plan: string): Promise<string | undefined> {
    const instance = await this.cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'vk' });
    for (const phase of arrayAt(instance, 'status', 'planStatus', plan, 'phases')) {
      const step = arrayAt(phase, 'steps').find((each) => stringAt(each, 'status') === 'IN_PROGRESS');
      if (step !== undefined) return `${stringAt(phase, 'name')}.${stringAt(step, 'name')}`;
    }
    return undefined;
  }
}
