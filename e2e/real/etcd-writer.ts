import type { RealCluster } from '@/test/node/real-cluster';

const ENDPOINTS = [0, 1, 2].map((n) => `http://etcd-${n}.etcd-members:2379`).join(',');
/** Within this time a write is tried again; then it counts as failed. */
const RETRY_MS = 2_000;
/**
 * Writes one key after the other through all members while /tmp/go exists, with a pause of 50 ms: more would take the processor from the
 * members. A line for each: `ok` or `failed`, and the time in hundredths of a second.
 */
const SCRIPT = `PATH=/tools:$PATH; n=0; trap 'exit 0' TERM
  now() { read -r up rest < /proc/uptime; time="\${up%.*}\${up#*.}"; }
  while :; do
    if [ ! -e /tmp/go ]; then touch /tmp/idle; sleep 0.1; continue; fi
    rm -f /tmp/idle; n=$((n + 1)) state=ok
    now; end=$((time + ${RETRY_MS / 10}))
    until etcdctl --endpoints ${ENDPOINTS} --command-timeout=1s put "write/$n" x > /dev/null 2>&1; do
      now
      if [ "$time" -ge "$end" ]; then state=failed; break; fi
    done
    now; echo "$state $time" >> /tmp/log
    sleep 0.05
  done`;

/** What a client could not write. */
interface Writing {
  readonly writes: number;
  /** Not confirmed within two seconds. */
  readonly failed: number;
  /** The longest time between two confirmed writes. */
  readonly longestMs: number;
}

/** A pod that writes while something is done to the cluster, and the figures of it. */
export class EtcdWriter {
  readonly figures: { [name: string]: Writing } = {};

  private constructor(private readonly cluster: RealCluster) {}

  static async start(cluster: RealCluster): Promise<EtcdWriter> {
    const tools = { name: 'tools', mountPath: '/tools' };
    const tmp = { name: 'tmp', mountPath: '/tmp' };
    await cluster.startPod('writer', {
      initContainers: [
        {
          name: 'tools',
          image: 'busybox:1.37.0-musl',
          command: ['sh', '-c', 'cp /bin/busybox /tools/busybox && /tools/busybox --install -s /tools'],
          volumeMounts: [tools],
        },
      ],
      containers: [
        {
          name: 'writer',
          image: 'gcr.io/etcd-development/etcd:v3.5.21',
          command: ['/tools/busybox', 'sh', '-c', SCRIPT],
          volumeMounts: [tools, tmp],
        },
      ],
      volumes: [
        { name: 'tools', emptyDir: {} },
        { name: 'tmp', emptyDir: {} },
      ],
    });
    return new EtcdWriter(cluster);
  }

  /** Does something while the client writes, from before its begin until writes are confirmed again. */
  async during(name: string, action: () => Promise<unknown>): Promise<Writing> {
    await this.shell('rm -f /tmp/log; touch /tmp/log /tmp/go');
    await this.confirmed(2);
    await action();
    await this.confirmed(2);
    await this.shell('rm -f /tmp/go');
    await this.cluster.until(() => this.shell('test -e /tmp/idle'));
    const lines = (await this.shell('cat /tmp/log')).trim().split('\n');
    const timesMs = lines.filter((line) => line.startsWith('ok ')).map((line) => Number(line.slice(3)) * 10);
    const pauses = timesMs.slice(1).map((time, index) => time - (timesMs[index] ?? 0));
    const writing = {
      writes: timesMs.length,
      failed: lines.length - timesMs.length,
      longestMs: Math.max(...pauses),
    };
    this.figures[name] = writing;
    return writing;
  }

  /** Resolves when so many more writes were confirmed. */
  private async confirmed(more: number): Promise<void> {
    const count = async () => Number(await this.shell("grep -c '^ok ' /tmp/log || true"));
    const wanted = (await count()) + more;
    await this.cluster.until(async () => {
      if ((await count()) < wanted) throw new Error('The client cannot write');
    });
  }

  private shell(script: string): Promise<string> {
    return this.cluster.exec('writer', '/tools/busybox', 'sh', '-c', `PATH=/tools:$PATH; ${script}`);
  }
}
