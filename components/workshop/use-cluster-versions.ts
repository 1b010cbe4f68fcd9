'use client';

import { useMemo } from 'react';
import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { useTopicInScope } from '@/components/shell/use-topic-within';
import { type PackageSummary, versionKeyOf } from '@/lib/kudo/package/catalogue';
import type { PackageFiles } from '@/lib/kudo/package/types';
import type { OperatorVersion } from '@/lib/kudo/types';
import { topics } from '@/lib/live/topic';
import { installedFiles } from '@/lib/workshop/installed-files';

/** A version of an operator that is in the cluster. */
export interface ClusterVersion {
  readonly id: string;
  readonly label: string;
  readonly load: (signal: AbortSignal) => Promise<PackageFiles>;
}

/** The versions of an operator that are in the cluster and not in the catalogue, each once. */
export function useClusterVersions(name: string, packages: readonly PackageSummary[]): ClusterVersion[] {
  const { objects } = useTopicInScope(topics.operatorVersions);
  return useMemo(() => {
    const known = new Set(packages.filter((each) => each.name === name).map(({ key }) => key));
    return (objects as readonly OperatorVersion[])
      .filter((version) => version.spec?.operator?.name === name)
      .filter((version) => {
        const key = versionKeyOf(version);
        return known.has(key) ? false : known.add(key);
      })
      .map((version) => ({
        id: `cluster ${version.metadata.uid}`,
        label: `${versionKeyOf(version)} in namespace ${version.metadata.namespace}`,
        load: (signal) => loadVersion(version, signal),
      }));
  }, [objects, name, packages]);
}

/** A version out of the event stream has no template texts. */
async function loadVersion({ metadata }: OperatorVersion, signal: AbortSignal): Promise<PackageFiles> {
  const { name = '', namespace } = metadata;
  const type = { group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions' };
  return installedFiles(await request<OperatorVersion>(kubePath({ ...type, namespace, name }), { signal }));
}
