'use client';

import { Sparkline } from '@/components/ui/sparkline';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import type { PodContainer } from '@/lib/kube/pods/pod-containers';
import { formatBytes, formatCores, type PodUsage, quantityValue } from '@/lib/kube/pods/pod-usage';
import { usePodUsage } from './use-pod-usage';

/** What a container uses now, with its last minutes, against its limit; says when the cluster measures nothing. */
export function UsageOfContainer({ pod, container }: { pod: KubeObject; container: PodContainer }) {
  const namespace = namespaceOf(pod);
  const usage = usePodUsage(namespace, { pod: nameOf(pod) });
  if (usage === undefined) return <span className="text-ink-3">not measured: metrics.k8s.io is not served</span>;
  const readings = usage.get(`${namespace}/${nameOf(pod)}`) ?? [];
  const now = readings.at(-1)?.containers.get(container.name);
  if (now === undefined) return <span className="text-ink-3">not measured yet</span>;
  const { limits } = container;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Amount
        name="CPU"
        text={formatCores(now.cpu)}
        limit={limits.cpu}
        values={valuesOf(readings, container.name, 'cpu')}
      />
      <Amount
        name="memory"
        text={formatBytes(now.memory)}
        limit={limits.memory}
        values={valuesOf(readings, container.name, 'memory')}
      />
    </span>
  );
}

function Amount(props: { name: string; text: string; limit: string | undefined; values: readonly number[] }) {
  const { name, text, limit, values } = props;
  const most = limit === undefined ? undefined : quantityValue(limit);
  const share = most === undefined || most === 0 ? undefined : Math.round(((values.at(-1) ?? 0) / most) * 100);
  return (
    <span className="inline-flex items-center gap-2 tabular-nums">
      {name} {text}
      {share !== undefined && (
        <span className={share >= 90 ? 'font-medium text-fail' : 'text-ink-3'}>{share} % of its limit</span>
      )}
      <Sparkline values={values} most={most} />
    </span>
  );
}

function valuesOf(readings: readonly PodUsage[], container: string, field: 'cpu' | 'memory'): number[] {
  return readings.map(({ containers }) => containers.get(container)?.[field] ?? 0);
}
