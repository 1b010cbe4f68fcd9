import type { ComponentProps } from 'react';
import { withBasePath } from '@/components/ui/base-path';
import { clusterPath } from '@/lib/clusters/cluster-path';

/**
 * A link to a page of any cluster. It loads the page anew: stores and streams of this cluster end with this page.
 *
 * `cluster` is undefined for the home cluster, `path` is without a cluster.
 */
export function ClusterLink({
  cluster,
  path,
  children,
  ...rest
}: Omit<ComponentProps<'a'>, 'href'> & { cluster: string | undefined; path: string }) {
  return (
    <a {...rest} href={withBasePath(clusterPath(cluster, path))}>
      {children}
    </a>
  );
}
