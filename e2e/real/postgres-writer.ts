import { stringAt } from '@/lib/json/json';
import type { RealCluster } from '@/test/node/real-cluster';
import { SECRETS } from '@/test/node/resources';

/** What a client saw: confirmed writes, attempts that failed, and the longest time between two confirmed writes. */
export interface WrittenMeanwhile {
  readonly writes: number;
  readonly failed: number;
  readonly longestPauseMs: number;
}

/**
 * A client that inserts one row after the other over the Service, each with a new connection and a pause of 50 ms, and notes the time
 * of each attempt: a line `MILLISECONDS NUMBER`, in /tmp/written when the write was confirmed, else in /tmp/failed.
 */
export class Writer {
  private sinceMs = 0;

  private constructor(
    private readonly cluster: RealCluster,
    private readonly pod: string,
  ) {}

  static async start(cluster: RealCluster, instance: string): Promise<Writer> {
    const pod = 'writer';
    await cluster.client(pod, 'postgres:17');
    const secret = await cluster.api.get({ ...SECRETS, namespace: 'default', name: `${instance}-connection` });
    const uri = Buffer.from(stringAt(secret, 'data', 'uri') ?? '', 'base64').toString('utf8');
    const loop = `
      export PGCONNECT_TIMEOUT=2
      n=0
      psql -qc 'CREATE TABLE IF NOT EXISTS written (number int)' "$URI"
      while :; do
        n=$((n + 1))
        if timeout 10 psql -qc "INSERT INTO written VALUES ($n)" "$URI" 2>/dev/null; then file=written; else file=failed; fi
        echo "$(date +%s%3N) $n" >>/tmp/$file
        sleep 0.05
      done`;
    await cluster.exec(
      pod,
      'sh',
      '-c',
      `URI='${uri}' setsid sh -c '${loop.replaceAll("'", "'\\''")}' >/tmp/writer.log 2>&1 &`,
    );
    const writer = new Writer(cluster, pod);
    await cluster.until(async () => {
      if ((await writer.lines('written')).length < 3) throw new Error('The writer has written nothing yet');
    });
    return writer;
  }

  private async lines(file: 'written' | 'failed'): Promise<{ timeMs: number; number: number }[]> {
    const text = await this.cluster.exec(this.pod, 'sh', '-c', `cat /tmp/${file} 2>/dev/null || true`);
    return text
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ timeMs: Number(line.split(' ')[0]), number: Number(line.split(' ')[1]) }));
  }

  /** What is measured next counts from the last confirmed write. */
  async reset(): Promise<void> {
    this.sinceMs = (await this.lines('written')).at(-1)?.timeMs ?? 0;
  }

  /** What the client saw since the last reset, once writes are confirmed again. */
  async measure(): Promise<WrittenMeanwhile> {
    const earlier = (await this.lines('written')).length;
    await this.cluster.until(async () => {
      if ((await this.lines('written')).length < earlier + 2) throw new Error('Nothing is written');
    });
    const since = ({ timeMs }: { readonly timeMs: number }) => timeMs >= this.sinceMs;
    const written = (await this.lines('written')).filter(since);
    const failed = (await this.lines('failed')).filter(since).length;
    const pauses = written.slice(1).map(({ timeMs }, index) => timeMs - (written[index]?.timeMs ?? timeMs));
    return { writes: written.length, failed, longestPauseMs: Math.max(...pauses) };
  }

  /** The numbers whose write was confirmed and that the server does not have. */
  async lost(sql: (text: string) => Promise<string>): Promise<number[]> {
    const confirmed = (await this.lines('written')).map(({ number }) => number);
    const present = new Set((await sql('SELECT number FROM written')).trim().split('\n').map(Number));
    return confirmed.filter((number) => !present.has(number));
  }
}
