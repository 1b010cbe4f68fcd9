import type { ControllerFigures } from '@/lib/status/product-status';
import type { MetricValues } from '@/server/metrics/serve-metrics';

interface Sample {
  readonly labels: { readonly [name: string]: string | number | undefined };
  readonly value: number;
}

/** What the page *Status* shows of a controller, from its metrics. */
export function controllerFigures(values: MetricValues): ControllerFigures {
  const one = (name: string) => samplesOf(values, name)[0]?.value ?? 0;
  const stale = new Map(
    samplesOf(values, 'bravo_cache_stale_seconds').map(({ labels, value }) => [labels.resource, value]),
  );
  const caches = samplesOf(values, 'bravo_cache_objects').map(({ labels, value }) => ({
    resource: String(labels.resource ?? ''),
    objects: value,
    staleMs: (stale.get(labels.resource) ?? 0) * 1_000,
  }));
  return {
    queued: one('workqueue_depth'),
    longestRunningMs: one('workqueue_longest_running_processor_seconds') * 1_000,
    caches,
  };
}

function samplesOf(values: MetricValues, name: string): readonly Sample[] {
  const found = values.find((metric) => metric.name === name);
  return (found as { readonly values?: readonly Sample[] } | undefined)?.values ?? [];
}
