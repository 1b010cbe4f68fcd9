'use client';

import { Download } from 'lucide-react';
import { withBasePath } from '@/components/ui/base-path';
import { useClusterName } from '@/components/ui/cluster-provider';
import { clusterPath } from '@/lib/clusters/cluster-path';
import type { RunRow } from '@/lib/kudo/view/run-row';

/** Everything of a run as one HTML file, for a ticket. */
export function SnapshotLink({ row: { namespace, name } }: { row: RunRow }) {
  const cluster = useClusterName();
  const path = `/api/runs/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/snapshot`;
  return (
    <a className="btn" data-size="small" href={withBasePath(clusterPath(cluster, path))} download={`${name}.html`}>
      <Download size={14} aria-hidden="true" />
      Download
    </a>
  );
}
