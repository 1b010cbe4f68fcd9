import type { Clock } from '@/lib/clock/clock';
import type { Api } from '@/server/kube/api';
import { atMost } from './at-most';
import { type ProbedCluster, probeCluster } from './probe-cluster';

/** Who has seen an answer before waits this long for the next one. */
const WAIT_MS = 1_000;
const MOST_PERSONS = 1_000;

/** What one cluster answered each person last, so that the list of clusters does not wait for one that hangs each time it is read. */
export class LastProbes {
  private readonly last = new Map<string, ProbedCluster>();
  private readonly running = new Map<string, Promise<ProbedCluster>>();

  constructor(private readonly clock: Clock) {}

  /** Asks the cluster in the name of the person, once for all who wait. What it answers late is in the next list. */
  async ask(identity: string, api: Api): Promise<ProbedCluster> {
    const running = this.running.get(identity) ?? this.begin(identity, api);
    const last = this.last.get(identity);
    if (last === undefined) return running;
    return (await atMost(this.clock, WAIT_MS, running)) ?? last;
  }

  private begin(identity: string, api: Api): Promise<ProbedCluster> {
    const probe = probeCluster(api, this.clock).then((probed) => {
      this.running.delete(identity);
      this.keep(identity, probed);
      return probed;
    });
    this.running.set(identity, probe);
    return probe;
  }

  /** The one that was answered longest ago is forgotten first. */
  private keep(identity: string, probed: ProbedCluster): void {
    this.last.delete(identity);
    this.last.set(identity, probed);
    const [oldest] = this.last.keys();
    if (this.last.size > MOST_PERSONS && oldest !== undefined) this.last.delete(oldest);
  }
}
