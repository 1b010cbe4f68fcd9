import type { RealCluster } from '@/test/node/real-cluster';
import type { Valkey } from './valkey-fixture';

/**
 * Adds numbers to a set through the Service while /tmp/go exists, with a new connection each. A line for each: `ok` or `failed`, the
 * number, and the time in milliseconds.
 */
const SCRIPT = `cd /tmp; n=0
while :; do
  if [ ! -e go ]; then touch idle; sleep 0.1; continue; fi
  rm -f idle; n=$((n + 1)) state=failed
  if [ "$(timeout 1 valkey-cli -h vk --no-auth-warning SADD confirmed $n 2>/dev/null)" = 1 ]; then state=ok; fi
  echo "$state $n $(date +%s%3N)" >>log
  sleep 0.05
done`;

/** What a client could not write. */
interface Writing {
  readonly writes: number;
  /** Attempts that were not confirmed within a second. */
  readonly failed: number;
  /** The longest time between two confirmed writes. */
  readonly longestMs: number;
  /** Confirmed writes that the primary does not have afterwards. */
  readonly lost: number;
}

/** The pod `client`, which writes while something is done to the instance, and the figures of it. */
export class ValkeyWriter {
  readonly figures: { [name: string]: Writing } = {};

  private constructor(
    private readonly cluster: RealCluster,
    private readonly valkey: Valkey,
  ) {}

  static async start(cluster: RealCluster, valkey: Valkey): Promise<ValkeyWriter> {
    const password = await valkey.secret('password');
    const start = `setsid bash -c '${SCRIPT}' >/dev/null 2>&1 </dev/null &`;
    await cluster.exec('client', 'env', `REDISCLI_AUTH=${password}`, 'bash', '-c', start);
    return new ValkeyWriter(cluster, valkey);
  }

  /** Does something while the client writes, from before its begin until writes are confirmed again. */
  async during(name: string, action: () => Promise<unknown>): Promise<Writing> {
    await this.shell('rm -f log; touch log go');
    await this.confirmed(3);
    await action();
    await this.confirmed(3);
    await this.shell('rm -f go');
    await this.cluster.until(() => this.shell('test -e idle'));
    const lines = (await this.shell('cat log')).trim().split('\n');
    const stored = new Set((await this.valkey.client(['SMEMBERS', 'confirmed'])).split('\n'));
    await this.valkey.client(['DEL', 'confirmed']);
    const confirmed = lines.filter((line) => line.startsWith('ok ')).map((line) => line.split(' '));
    const timesMs = confirmed.map(([, , time]) => Number(time));
    const writing = {
      writes: confirmed.length,
      failed: lines.length - confirmed.length,
      longestMs: Math.max(...timesMs.slice(1).map((time, index) => time - (timesMs[index] ?? time))),
      lost: confirmed.filter(([, number = '']) => !stored.has(number)).length,
    };
    this.figures[name] = writing;
    return writing;
  }

  /** Resolves when so many more writes were confirmed. */
  private async confirmed(more: number): Promise<void> {
    const count = async () => Number(await this.shell("grep -c '^ok ' log || true"));
    const wanted = (await count()) + more;
    await this.cluster.until(async () => {
      if ((await count()) < wanted) throw new Error('The client cannot write');
    });
  }

  private shell(script: string): Promise<string> {
    return this.cluster.exec('client', 'bash', '-c', `cd /tmp; ${script}`);
  }
}
