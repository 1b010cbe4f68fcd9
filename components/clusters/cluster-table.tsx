import { Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { StatusText } from '@/components/ui/status';
import { Tag } from '@/components/ui/tag';
import type { ClusterInfo } from '@/lib/clusters/cluster-info';
import { clusterStateWords } from '@/lib/clusters/state-words';
import { ClusterLink } from './cluster-link';
import { addressName, useIsCurrent } from './use-clusters';

const sources: { readonly [source in ClusterInfo['source']]: string } = {
  home: 'Home cluster',
  kubeconfig: 'Kubeconfig',
  secret: 'Added here',
};

/** One row a cluster. Its problem is below its name, at any width. */
export function ClusterTable({
  clusters,
  onRemove,
}: {
  clusters: readonly ClusterInfo[];
  onRemove: (cluster: ClusterInfo) => void;
}) {
  return (
    <table className="table table-fixed">
      <caption className="sr-only">Clusters</caption>
      <thead>
        <tr>
          <th scope="col">Cluster</th>
          <th scope="col" className="w-32 sm:w-36">
            State
          </th>
          <th scope="col" className="w-28 max-md:hidden">
            Version
          </th>
          <th scope="col" className="num w-24 max-md:hidden">
            Latency
          </th>
          <th scope="col" className="num w-24 max-sm:hidden">
            Instances
          </th>
          <th scope="col" className="w-32 max-lg:hidden">
            Source
          </th>
          <th scope="col" className="w-14">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {clusters.map((cluster) => (
          <ClusterRow key={cluster.name} cluster={cluster} onRemove={onRemove} />
        ))}
      </tbody>
    </table>
  );
}

function ClusterRow({ cluster, onRemove }: { cluster: ClusterInfo; onRemove: (cluster: ClusterInfo) => void }) {
  const isCurrent = useIsCurrent()(cluster);
  const { status, word } = clusterStateWords[cluster.state];
  return (
    <tr data-cluster={cluster.name}>
      <td>
        <span className="flex flex-wrap items-center gap-x-2">
          <ClusterLink cluster={addressName(cluster)} path="/" className="link break-all font-semibold">
            {cluster.title}
          </ClusterLink>
          {isCurrent && <Tag>this page</Tag>}
        </span>
        <div className="truncate text-ink-2 text-xs" title={cluster.server}>
          {cluster.server}
        </div>
        {cluster.problem !== undefined && <p className="text-ink-2 text-xs">{cluster.problem}</p>}
      </td>
      <td>
        <StatusText status={status} word={word} />
      </td>
      <td className="truncate max-md:hidden">{cluster.version ?? '—'}</td>
      <td className="num max-md:hidden">
        {cluster.latencyMs === undefined ? '—' : `${Math.round(cluster.latencyMs)} ms`}
      </td>
      <td className="num max-sm:hidden">{cluster.instances ?? '—'}</td>
      <td className="text-ink-2 max-lg:hidden">{sources[cluster.source]}</td>
      <td>
        {cluster.isRemovable && (
          <Button
            variant="quiet"
            size="small"
            iconOnly
            icon={<Trash2 size={15} aria-hidden="true" />}
            onClick={() => onRemove(cluster)}
          >
            Remove {cluster.title}
          </Button>
        )}
      </td>
    </tr>
  );
}
