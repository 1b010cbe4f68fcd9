import type { Clock } from '@/lib/clock/clock';
import type { Transport } from '@/server/kube/transport';
import { apiMetrics } from './api-metrics';
import { ControllerMetrics } from './controller-metrics';
import { createRegistry, type RegistryOptions } from './registry';
import type { MetricValues } from './serve-metrics';
import { WebhookMetrics } from './webhook-metrics';

/** Everything that is measured of a controller. */
export interface ControllerMeasures {
  readonly metrics: ControllerMetrics;
  readonly webhookMetrics: WebhookMetrics;
  /** The same transport, with its requests counted. */
  measured(transport: Transport): Transport;
  values(): Promise<MetricValues>;
}

/** Makes the metrics of a controller. */
export function measureController(
  options: Omit<RegistryOptions, 'part'> & { readonly clock: Clock },
): ControllerMeasures {
  const registry = createRegistry({ ...options, part: 'controller' });
  return {
    metrics: new ControllerMetrics(registry),
    webhookMetrics: new WebhookMetrics(registry),
    measured: apiMetrics(registry, options.clock),
    values: () => registry.getMetricsAsJSON(),
  };
}
