import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Told by a work queue of what it does. Times in ms. */
export interface QueueObserver {
  added(): void;
  /** A key begins to run after it was queued for so long. */
  started(waitedMs: number): void;
  finished(tookMs: number): void;
  retried(): void;
}

/** What is asked of a work queue when metrics are read. */
export interface MeasuredQueue {
  readonly depth: number;
  /** How long each key that runs now has run, in ms. */
  runningMs(): readonly number[];
}

/** The labels of controller-runtime; `name` is the queue. */
const LABELS = { name: 'instances', controller: 'bravo' } as const;
const LABEL_NAMES = ['name', 'controller'] as const;
/** Seconds. controller-runtime's, without those below 1 ms, which no request to an API server meets. */
const SECONDS = [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

/**
 * The metrics of the work queue, with the names and meanings of controller-runtime (`pkg/metrics/workqueue.go`), so that dashboards
 * and rules for it work.
 */
export function queueMetrics(registry: Registry, queue: () => MeasuredQueue | undefined): QueueObserver {
  const common = { labelNames: LABEL_NAMES, registers: [registry] };
  const adds = new Counter({ ...common, name: 'workqueue_adds_total', help: 'Instances that were queued.' });
  const retries = new Counter({
    ...common,
    name: 'workqueue_retries_total',
    help: 'Instances that were queued again with a back-off, because a reconcile failed or has to be tried again.',
  });
  const waited = new Histogram({
    ...common,
    name: 'workqueue_queue_duration_seconds',
    help: 'How long an Instance was queued before its reconcile began.',
    buckets: SECONDS,
  });
  const worked = new Histogram({
    ...common,
    name: 'workqueue_work_duration_seconds',
    help: 'How long a reconcile of the queue took.',
    buckets: SECONDS,
  });
  gauge(registry, 'workqueue_depth', 'Instances that are queued and do not run yet.', () => queue()?.depth ?? 0);
  gauge(
    registry,
    'workqueue_unfinished_work_seconds',
    'The sum of the times of the reconciles under way. It grows without end when one hangs.',
    () => seconds((queue()?.runningMs() ?? []).reduce((sum, ms) => sum + ms, 0)),
  );
  gauge(
    registry,
    'workqueue_longest_running_processor_seconds',
    'How long the longest reconcile under way has taken until now.',
    () => seconds(Math.max(0, ...(queue()?.runningMs() ?? []))),
  );
  adds.inc(LABELS, 0);
  retries.inc(LABELS, 0);
  const [add, retry] = [adds.labels(LABELS), retries.labels(LABELS)];
  const [wait, work] = [waited.labels(LABELS), worked.labels(LABELS)];
  return {
    added: () => add.inc(),
    started: (waitedMs) => wait.observe(seconds(waitedMs)),
    finished: (tookMs) => work.observe(seconds(tookMs)),
    retried: () => retry.inc(),
  };
}

function gauge(registry: Registry, name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    labelNames: LABEL_NAMES,
    registers: [registry],
    collect() {
      this.set(LABELS, value());
    },
  });
}

function seconds(ms: number): number {
  return ms / 1_000;
}
