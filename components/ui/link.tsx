'use client';

import NextLink from 'next/link';
import type { ComponentProps } from 'react';
import { clusterPath } from '@/lib/clusters/cluster-path';
import { useClusterName } from './cluster-provider';

export interface LinkProps extends Omit<ComponentProps<typeof NextLink>, 'href'> {
  /** A path of the console without a cluster. */
  readonly href: string;
}

/** A link to a page of the console in the page's cluster. Pages of another cluster are loaded anew (`ClusterLink`). */
export function Link({ href, ...rest }: LinkProps) {
  return <NextLink {...rest} href={clusterPath(useClusterName(), href)} />;
}
