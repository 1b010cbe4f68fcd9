import type { PodUsage } from './pod-usage';

/** Ten minutes, when a reading is taken every 15 s. */
const READINGS = 40;
const PODS = 500;

/** The last readings of pods, for as long as a page is open: bounded, the pods that were read least recently go first. */
export class UsageHistory {
  private readonly readings = new Map<string, readonly PodUsage[]>();

  /** Adds a reading, unless it is the one that is known already. */
  add(pod: string, usage: PodUsage): void {
    const known = this.readings.get(pod) ?? [];
    this.readings.delete(pod);
    this.readings.set(pod, known.at(-1)?.at === usage.at ? known : [...known, usage].slice(-READINGS));
    for (const oldest of this.readings.keys()) {
      if (this.readings.size <= PODS) break;
      this.readings.delete(oldest);
    }
  }

  /** The oldest first. */
  of(pod: string): readonly PodUsage[] {
    return this.readings.get(pod) ?? [];
  }
}
