import type { Clock } from '@/lib/clock/clock';
import type { Transport } from '@/server/kube/transport';
import { apiMetrics } from './api-metrics';
import { certificateMetrics, type MeasuredCertificate } from './certificate-metrics';
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

export interface MeasureConsoleOptions extends Pick<RegistryOptions, 'version'> {
  readonly clock: Clock;
  /** The certificate that it serves; undefined for HTTP. */
  readonly certificate?: () => MeasuredCertificate | undefined;
}

/** Makes the metrics of a console. */
export function measureConsole(options: MeasureConsoleOptions): ConsoleMeasures {
  const registry = createRegistry({ version: options.version, isProcess: true, part: 'console' });
  certificateMetrics(registry, options.certificate ?? (() => undefined));
  return {
    streams: new StreamMetrics(registry, () => options.clock.monotonic()),
    measured: apiMetrics(registry, options.clock),
    values: () => registry.getMetricsAsJSON(),
  };
}
