import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The part of the product whose metrics they are; the label `part` of every series. */
export type MeasuredPart = 'console' | 'controller';

export interface RegistryOptions {
  readonly part: MeasuredPart;
  /** Of the product. */
  readonly version: string;
  /** False for a part that is a thread: memory and processor time are those of its process, which has them already. */
  readonly isProcess: boolean;
}

/**
 * A registry with what every part has: its version, and Node's own metrics. Every series has the label `part`, so that console and
 * controller in one process are told apart.
 */
export function createRegistry({ part, version, isProcess }: RegistryOptions): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ part });
  const build = new Gauge({
    name: 'bravo_build_info',
    help: 'Always 1; the labels say which version runs.',
    labelNames: ['version', 'node'],
    registers: [registry],
  });
  build.set({ version, node: process.versions.node }, 1);
  collectDefaultMetrics({ register: registry });
  if (!isProcess) {
    for (const { name } of registry.getMetricsAsArray()) {
      if (name.startsWith('process_') || OF_PROCESS.has(name)) registry.removeSingleMetric(name);
    }
  }
  return registry;
}

/** Node's metrics that are the same in every thread. */
const OF_PROCESS = new Set(['nodejs_version_info']);
