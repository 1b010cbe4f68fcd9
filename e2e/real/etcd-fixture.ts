import type { RealCluster } from '@/test/node/real-cluster';

/** How clients of the instance connect: the address of its Service, and a shell command that sets variables of etcdctl. */
interface Access {
  readonly service: string;
  readonly login: string;
}

/** The instance `etcd` of the bundled operator, as clients and tests use it. */
export class Etcd {
  readonly service: string;

  constructor(
    private readonly cluster: RealCluster,
    private readonly access: Access = { service: 'http://etcd:2379', login: 'true' },
  ) {
    this.service = access.service;
  }

  static async install(cluster: RealCluster, version: string, ...parameters: readonly string[]): Promise<void> {
    const words = parameters.flatMap((each) => ['-p', each]);
    await cluster.bravo('install', `operators/etcd/${version}`, '--instance', 'etcd', '--wait', ...words);
  }

  /** Runs a script in the pod of the first member. */
  shell(script: string): Promise<string> {
    return this.cluster.exec('etcd-0', '/tools/busybox', 'sh', '-c', `${this.access.login}; ${script}`);
  }

  etcdctl(words: string, endpoint = this.service): Promise<string> {
    return this.shell(`etcdctl --endpoints ${endpoint} ${words}`);
  }

  /** Writes keys in transactions of 100. */
  async writeRows(transactions: number): Promise<void> {
    await this.shell(`set -e; n=0; while [ $n -lt ${transactions} ]; do
      { echo; i=0; while [ $i -lt 100 ]; do echo "put row/$n/$i value-$((n * i))"; i=$((i + 1)); done; echo; echo; } |
        etcdctl --endpoints ${this.service} txn > /dev/null
      n=$((n + 1)); done`);
  }

  /** Number of lines (two for each row) and checksum of the rows that the Service or a member has. */
  rows(endpoint = this.service): Promise<string> {
    return this.shell(
      `etcdctl --endpoints ${endpoint} get row --prefix > /tmp/rows && cd /tmp && /tools/wc -l < rows && /tools/sha256sum rows`,
    );
  }

  deleteRows(): Promise<string> {
    return this.etcdctl('del row --prefix');
  }

  /** Starts a plan, and waits for its end. */
  plan(name: string): Promise<string> {
    return this.cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'etcd', '--wait');
  }

  update(...parameters: readonly string[]): Promise<string> {
    const words = parameters.flatMap((each) => ['-p', each]);
    return this.cluster.bravo('update', '--instance', 'etcd', '--wait', ...words);
  }

  /** The name of the backup that the last run of plan backup or upgrade wrote. */
  async lastBackup(): Promise<string> {
    const [, name = ''] = /"type":"backup","name":"([^"]+)"/.exec(await this.cluster.jobMessage('etcd-backup')) ?? [];
    return name;
  }

  async backUp(): Promise<string> {
    await this.plan('backup');
    return this.lastBackup();
  }
}
