'use client';

import { Stethoscope } from 'lucide-react';
import { withBasePath } from '@/components/ui/base-path';
import { useClusterName } from '@/components/ui/cluster-provider';
import type { MenuEntry } from '@/components/ui/menu';
import { clusterPath } from '@/lib/clusters/cluster-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** Downloads one archive with the objects, events, logs and runs of the Instance. */
export function useCollectDiagnostics({ namespace, name }: InstanceRow): MenuEntry {
  const cluster = useClusterName();
  const path = `/api/instances/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/diagnostics`;
  return {
    key: 'diagnostics',
    label: 'Collect diagnostics',
    icon: <Stethoscope size={15} aria-hidden="true" />,
    onSelect: () => {
      const link = document.createElement('a');
      link.href = withBasePath(clusterPath(cluster, path));
      link.download = `diagnostics-${name}.tgz`;
      link.click();
    },
  };
}
