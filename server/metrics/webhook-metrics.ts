import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** `allowed`, `refused`, or `error`: no decision, so that the API server goes on without one. */
export type ReviewResult = 'allowed' | 'refused' | 'error';

/** Why a review was refused. */
export type RefusalReason = 'Forbidden' | 'Invalid' | 'Conflict' | 'Other';

const REASONS = new Map<number, RefusalReason>([
  [400, 'Invalid'],
  [403, 'Forbidden'],
  [409, 'Conflict'],
  [422, 'Invalid'],
]);

/** The metrics of the admission webhook. */
export class WebhookMetrics {
  private readonly durations: Histogram<'result'>;
  private readonly refusals: Counter<'reason'>;
  private certificateEndMs: number | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.durations = new Histogram({
      name: 'bravo_webhook_duration_seconds',
      help: 'How long the admission webhook took to answer a review, by result: allowed, refused, error.',
      labelNames: ['result'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.refusals = new Counter({
      name: 'bravo_webhook_refusals_total',
      help: 'Reviews that the admission webhook refused, by reason: Forbidden, Invalid, Conflict, Other.',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of new Set<RefusalReason>([...REASONS.values(), 'Other'])) this.refusals.inc({ reason }, 0);
    const endMs = () => this.certificateEndMs;
    new Gauge({
      name: 'bravo_webhook_certificate_end_timestamp_seconds',
      help: 'When the certificate of the admission webhook ends, in seconds since 1970; absent without a webhook.',
      registers,
      collect() {
        const ms = endMs();
        if (ms === undefined) this.remove();
        else this.set(ms / 1_000);
      },
    });
  }

  answered(result: ReviewResult, tookMs: number): void {
    this.durations.observe({ result }, tookMs / 1_000);
  }

  /** @param code of the refusal; the API server takes 403 for none */
  refused(code: number | undefined): void {
    this.refusals.inc({ reason: REASONS.get(code ?? 403) ?? 'Other' });
  }

  servesUntil(endMs: number): void {
    this.certificateEndMs = endMs;
  }
}
