import type { Clock } from '@/lib/clock/clock';
import type { Transport } from '@/server/kube/transport';
import { apiMetrics } from './api-metrics';
import { createRegistry, type RegistryOptions } from './registry';
import type { MetricValues } from './serve-metrics';
import { StreamMetrics } from './stream-metrics';

/** Everything that is measured of a console. */
export interface ConsoleMeasures {
  readonly streams: StreamMetrics;
  /** The same transport, with its requests counted. */
  measured(transport: Transport): Transport;
  values(): Promise<MetricValues>;
}

/** Makes the metrics of a console. */
export function measureConsole(options: Pick<RegistryOptions, 'version'> & { readonly clock: Clock }): ConsoleMeasures {
  const registry = createRegistry({ version: options.version, isProcess: true, part: 'console' });
  return {
    streams: new StreamMetrics(registry, () => options.clock.monotonic()),
    measured: apiMetrics(registry, options.clock),
    values: () => registry.getMetricsAsJSON(),
  };
}
