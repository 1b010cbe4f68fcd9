import type { RealCluster } from '@/test/node/real-cluster';
import { PODS } from '@/test/node/resources';

export const IMAGE = 'valkey/valkey:8.1.1';
const ROWS = `for k = 1, 10000 do redis.call('SET', 'row:' .. k, 'value-' .. (k * 7)) end return redis.call('DBSIZE')`;
const CHECKSUM = `local t = {} for k = 1, 10000 do t[k] = tostring(redis.call('GET', 'row:' .. k)) end
  return redis.sha1hex(table.concat(t, ','))`;
/** The instance `vk` of the bundled operator, as clients and tests use it. */
export class Valkey {
  constructor(private readonly cluster: RealCluster) {}

  secret(key: string): Promise<string> {
    return this.cluster.secret('vk-connection', key);
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
    return this.cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'vk', '--wait');
  }

  set(parameter: string): Promise<string> {
    return this.cluster.bravo('update', '--instance', 'vk', '--wait', '-p', parameter);
  }

  /** What the pods of a Job wrote as their termination messages. */
  messages(job: string): Promise<string> {
    return this.cluster.jobMessage(`valkey-${job}`);
  }

  async backUp(): Promise<string> {
    await this.plan('backup');
    return this.lastBackup();
  }

  /** The name of the backup that the last run of plan backup or upgrade wrote. */
  async lastBackup(): Promise<string> {
    const [, name = ''] = /"name":"(valkey-\d{8}T\d{6}Z)"/.exec(await this.messages('backup')) ?? [];
    return name;
  }
}
