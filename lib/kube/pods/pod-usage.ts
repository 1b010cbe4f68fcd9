import { arrayAt, getAt, stringAt } from '@/lib/json/json';
import { parseQuantity } from '@/lib/kube/quantity';

/** What one container uses, as metrics.k8s.io says: cores and bytes. */
export interface ContainerUsage {
  readonly cpu: number;
  readonly memory: number;
}

/** One reading of a pod. */
export interface PodUsage {
  /** When it was measured, RFC 3339. */
  readonly at: string;
  readonly containers: ReadonlyMap<string, ContainerUsage>;
}

/** Reads a PodMetrics of metrics.k8s.io/v1beta1; undefined for anything else. */
export function readPodUsage(object: unknown): PodUsage | undefined {
  const at = stringAt(object, 'timestamp');
  if (at === undefined) return undefined;
  const containers = arrayAt(object, 'containers').map((container) => {
    const usage = {
      cpu: quantityValue(getAt(container, 'usage', 'cpu')),
      memory: quantityValue(getAt(container, 'usage', 'memory')),
    };
    return [stringAt(container, 'name') ?? '', usage] as const;
  });
  return { at, containers: new Map(containers) };
}

/** A quantity as a number; 0 when it is none. */
export function quantityValue(value: unknown): number {
  const quantity = typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
  return quantity === undefined ? 0 : Number(quantity.nano) / 1e9;
}

/** All containers together. */
export function totalUsage({ containers }: PodUsage): ContainerUsage {
  let [cpu, memory] = [0, 0];
  for (const usage of containers.values()) {
    cpu += usage.cpu;
    memory += usage.memory;
  }
  return { cpu, memory };
}

/** `250m`, `1.5`: cores as Kubernetes writes them. */
export function formatCores(cores: number): string {
  return cores < 1 ? `${Math.round(cores * 1000)}m` : String(Math.round(cores * 100) / 100);
}

const UNITS = ['B', 'Ki', 'Mi', 'Gi', 'Ti'];

/** `64Mi`, `1.5Gi`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? Math.round(value * 10) / 10 : Math.round(value)}${UNITS[unit]}`;
}
