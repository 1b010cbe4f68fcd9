import { stringAt } from '@/lib/json/json';
import type { RealCluster } from '@/test/node/real-cluster';
import { SECRETS } from '@/test/node/resources';

/**
 * A client that inserts a row each few milliseconds over the Service, connects again when it fails, and notes the time of each
 * confirmed write: a line `MILLISECONDS NUMBER`.
 */
export class Writer {
  private fromLine = 1;

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
        if timeout 10 psql -qc "INSERT INTO written VALUES ($n)" "$URI" 2>/dev/null; then echo "$(date +%s%3N) $n" >>/tmp/written; fi
      done`;
    await cluster.exec(
      pod,
      'sh',
      '-c',
      `URI='${uri}' setsid sh -c '${loop.replaceAll("'", "'\\''")}' >/tmp/writer.log 2>&1 &`,
    );
    const writer = new Writer(cluster, pod);
    await cluster.until(async () => {
      if ((await writer.lines()).length < 3) throw new Error('The writer has written nothing yet');
    });
    return writer;
  }

  private async lines(): Promise<{ timeMs: number; number: number }[]> {
    const text = await this.cluster.exec(this.pod, 'sh', '-c', 'cat /tmp/written 2>/dev/null || true');
    return text
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ timeMs: Number(line.split(' ')[0]), number: Number(line.split(' ')[1]) }));
  }

  /** Later pauses count from here. */
  async reset(): Promise<void> {
    this.fromLine = (await this.lines()).length;
  }

  /** The longest time between two confirmed writes since the last reset, once writes are confirmed again. */
  async longestPauseMs(): Promise<number> {
    const earlier = (await this.lines()).length;
    await this.cluster.until(async () => {
      if ((await this.lines()).length < earlier + 2) throw new Error('Nothing is written');
    });
    const lines = (await this.lines()).slice(Math.max(0, this.fromLine - 1));
    return Math.max(...lines.slice(1).map(({ timeMs }, index) => timeMs - (lines[index]?.timeMs ?? timeMs)));
  }

  /** The numbers whose write was confirmed and that the server does not have. */
  async lost(sql: (text: string) => Promise<string>): Promise<number[]> {
    const confirmed = (await this.lines()).map(({ number }) => number);
    const present = new Set((await sql('SELECT number FROM written')).trim().split('\n').map(Number));
    return confirmed.filter((number) => !present.has(number));
  }
}
