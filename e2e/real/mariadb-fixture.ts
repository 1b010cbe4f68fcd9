import { stringAt } from '@/lib/json/json';
import { INSTANCES } from '@/lib/kudo/crds/crds';
import { killInEachStep } from '@/test/node/kill-in-each-step';
import { type RealCluster, startRealCluster } from '@/test/node/real-cluster';
import { CLAIMS, PODS } from '@/test/node/resources';

const CHECKSUM = `SET SESSION group_concat_max_len = 10000000;
  SELECT COUNT(*), MD5(GROUP_CONCAT(id, ':', word ORDER BY id)) FROM words`;
const DESTRUCTIVE = ['restore', 'failover'];
const OUTPUT_BYTES = 16 * 1024 * 1024;
/** With TLS a client compares the certificate with the host that it asked for. */
const CLIENT = `tls=--skip-ssl; if [ -e /tls/ca.crt ]; then tls="--ssl-ca=/tls/ca.crt --ssl-verify-server-cert"; fi
  client() { MYSQL_PWD=$1 timeout 4 mariadb --no-defaults $tls -h "$2" -u app --connect-timeout=1 -N app -e "$3"; }`;
/** A client that writes through the Service, several times a second, and notes each write that was confirmed, with its time. */
const WRITER = `${CLIENT}; n=0; while [ ! -e /tmp/stop ]; do n=$((n + 1))
  if client "$PASSWORD" db "INSERT INTO writes VALUES ($n)" 2>/tmp/why
  then echo "$n $EPOCHREALTIME" >>/tmp/written; else echo "$n $(cat /tmp/why)" >>/tmp/refused; fi
  sleep 0.05; done; touch /tmp/stopped`;

/** What a client saw that wrote all the time. `pauseMs` is the longest time between two confirmed writes, `lost` those that a server does not have. */
interface Written {
  readonly confirmed: number;
  readonly failed: number;
  readonly pauseMs: number;
  readonly lost: number;
}

/** Instance `db` of the bundled operator with real servers, and a pod `files` that sees its backups and is a client. */
export class RealMariadb {
  private constructor(readonly cluster: RealCluster) {}

  static async start(version: string, ...parameters: readonly string[]): Promise<RealMariadb> {
    const cluster = await startRealCluster();
    try {
      const flags = parameters.flatMap((each) => ['-p', each]);
      await cluster.bravo('install', `operators/mariadb/${version}`, '--instance', 'db', ...flags, '--wait');
      const mariadb = new RealMariadb(cluster);
      await mariadb.startFiles();
      return mariadb;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  private async startFiles(): Promise<void> {
    const container = {
      name: 'files',
      image: 'mariadb:11.8.3',
      command: ['bash', '-c', 'sleep 100000'],
      volumeMounts: [
        { name: 'backups', mountPath: '/backups' },
        { name: 'tls', mountPath: '/tls' },
      ],
    };
    const spec = {
      terminationGracePeriodSeconds: 0,
      securityContext: { runAsUser: 999, runAsGroup: 999, fsGroup: 999 },
      containers: [container],
      volumes: [
        { name: 'backups', persistentVolumeClaim: { claimName: 'db-backups' } },
        { name: 'tls', secret: { secretName: 'db-tls', optional: true } },
      ],
    };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'files' }, spec };
    await this.cluster.api.create({ ...PODS, namespace: 'default' }, pod);
    await this.cluster.podReady('files');
  }

  /** A command in the container of a server. */
  async exec(server: number, ...command: readonly string[]): Promise<string> {
    const target = { ...PODS, namespace: 'default', name: `db-${server}` };
    const output = await this.cluster.api.exec(target, { command, container: 'mariadb', maxBytes: OUTPUT_BYTES });
    return Buffer.from(output).toString('utf8');
  }

  /** What the server and its agent have logged. */
  async log(server: number): Promise<string> {
    const target = { ...PODS, namespace: 'default', name: `db-${server}` };
    const chunks: Uint8Array[] = [];
    for (const container of ['mariadb', 'agent']) {
      for await (const chunk of this.cluster.api.log(target, { container })) chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** SQL on one server, as its administrator. */
  sql(text: string, server = 0): Promise<string> {
    return this.exec(server, 'mariadb', '--no-defaults', '-umysql', '--batch', '-N', 'app', '-e', text);
  }

  async writeRows(): Promise<string> {
    await this.sql(
      'CREATE TABLE words (id INT PRIMARY KEY, word VARCHAR(64)); CREATE TABLE writes (id INT PRIMARY KEY)',
    );
    await this.sql('INSERT INTO words SELECT seq, MD5(seq) FROM seq_1_to_10000');
    return this.checksum();
  }

  /** Number and checksum of the rows on one server. */
  checksum(server = 0): Promise<string> {
    return this.sql(CHECKSUM, server);
  }

  /** A script in the pod `files`. */
  sh(script: string): Promise<string> {
    return this.cluster.exec('files', 'bash', '-c', script);
  }

  /** SQL over TCP with a password, as an application. */
  login(password: string, host = 'db', text = 'SELECT 1'): Promise<string> {
    return this.sh(`${CLIENT}; client '${password}' '${host}' '${text}'`);
  }

  /** Starts a plan, confirmed when it is destructive, and waits until it has ended. */
  plan(name: string): Promise<string> {
    const confirm = DESTRUCTIVE.includes(name) ? ['--confirm', `${name}/db`] : [];
    return this.cluster.bravo('plan', 'trigger', '--name', name, '--instance', 'db', ...confirm, '--wait');
  }

  update(...parameters: readonly string[]): Promise<string> {
    return this.cluster.bravo('update', '--instance', 'db', '--wait', ...parameters.flatMap((each) => ['-p', each]));
  }

  /** Starts a restore of one backup, confirmed, and waits until it has ended. */
  restoreFrom(backup: string): Promise<string> {
    const parameter = ['-p', `RESTORE_FROM=${backup}`];
    return this.cluster.bravo('update', '--instance', 'db', ...parameter, '--confirm', 'restore/db', '--wait');
  }

  async backups(): Promise<string[]> {
    return (await this.sh('ls -A /backups')).trim().split('\n');
  }

  /** The pods of a Job, the newest last. */
  async podsOf(job: string) {
    const { items } = await this.cluster.api.list({ ...PODS, namespace: 'default' });
    const own = items.filter((pod) => stringAt(pod, 'metadata', 'labels', 'job-name') === `db-${job}`);
    return own.sort((a, b) => (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? ''));
  }

  async planStatus(plan: string): Promise<string | undefined> {
    const instance = await this.cluster.api.get({ ...INSTANCES, namespace: 'default', name: 'db' });
    return stringAt(instance, 'status', 'planStatus', plan, 'status');
  }

  /** Runs the command line, and kills the controller in each step of the plan that it starts. Resolves with these steps. */
  killedInEachStep(plan: string, ...words: readonly string[]): Promise<string[]> {
    const confirm = DESTRUCTIVE.includes(plan) ? ['--confirm', `${plan}/db`] : [];
    return killInEachStep(this.cluster, { instance: 'db', plan }, ...words, ...confirm);
  }

  /** Deletes the volume of a server with its pod. Resolves with the uid of that pod. */
  async loseVolume(server: number): Promise<string | undefined> {
    const { metadata } = await this.cluster.podReady(`db-${server}`);
    await this.cluster.api.delete({ ...CLAIMS, namespace: 'default', name: `data-db-${server}` });
    await this.cluster.api.delete({ ...PODS, namespace: 'default', name: `db-${server}` }, { gracePeriodSeconds: 0 });
    return metadata.uid;
  }

  /** What a client saw that wrote from before an event until after it; the name of the event and the figures are printed. */
  async whileWriting(event: string, password: string, act: () => Promise<unknown>): Promise<Written> {
    await this.sh(`rm -f /tmp/stop /tmp/stopped /tmp/written /tmp/refused
      PASSWORD=${password} setsid bash -c '${WRITER}' >/dev/null 2>&1 </dev/null &`);
    await this.cluster.until(() => this.sh('test -s /tmp/written'));
    await act();
    const confirmed = Number(await this.sh('wc -l </tmp/written'));
    await this.cluster.until(() => this.sh(`[ "$(wc -l </tmp/written)" -gt ${confirmed} ]`));
    const written = await this.stopWriting(password);
    process.stdout.write(`figures of mariadb: ${event}: ${JSON.stringify(written)}\n`);
    return written;
  }

  private async stopWriting(password: string): Promise<Written> {
    await this.sh('touch /tmp/stop');
    await this.cluster.until(() => this.sh('test -e /tmp/stopped'));
    const lines = (await this.sh('cat /tmp/written')).trim().split('\n');
    const written = lines.map((line) => line.split(' ').map(Number)).map(([id = 0, at = 0]) => ({ id, at }));
    const pauses = written.slice(1).map(({ at }, index) => at - (written[index]?.at ?? at));
    const found = await this.login(password, 'db', 'SELECT id FROM writes');
    const stored = new Set(found.trim().split('\n').map(Number));
    await this.login(password, 'db', 'DELETE FROM writes');
    return {
      confirmed: written.length,
      failed: Number(await this.sh('cat /tmp/refused 2>/dev/null | grep -c "^[0-9]" || true')),
      pauseMs: Math.round(Math.max(...pauses) * 1000),
      lost: written.filter(({ id }) => !stored.has(id)).length,
    };
  }
}
