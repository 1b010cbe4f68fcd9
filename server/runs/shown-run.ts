import type { PlanStatus } from '@/lib/kudo/types';

/** Whether the stored status of a run is the present one; kept in the process. */
export class ShownRun {
  writtenMs = Number.NEGATIVE_INFINITY;
  private text = '';
  private seen = '';

  /** Monotonic time of the first look. */
  beganMs: number | undefined;

  /** True when this is not what was written last. */
  sees(planStatus: PlanStatus, held: string | undefined, nowMs: number): boolean {
    this.beganMs ??= nowMs;
    const phases = (planStatus.phases ?? []).map(({ status, steps }) => [
      status,
      (steps ?? []).map((step) => [step.status, step.message]),
    ]);
    this.seen = JSON.stringify([planStatus.status, held, phases]);
    return this.seen !== this.text;
  }

  written(nowMs: number): void {
    this.writtenMs = nowMs;
    this.text = this.seen;
  }
}
