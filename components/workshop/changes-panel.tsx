'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { request } from '@/components/live/request';
import { TextVersions } from '@/components/resources/text-versions';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Tag } from '@/components/ui/tag';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { PackageFiles } from '@/lib/kudo/package/types';
import { changedFiles } from '@/lib/workshop/changed-files';
import type { DraftOrigin } from './draft-db';
import { useClusterVersions } from './use-cluster-versions';

/** A version to compare with: of the catalogue, or only in the cluster. */
interface Published {
  readonly id: string;
  readonly label: string;
  readonly load: (signal: AbortSignal) => Promise<PackageFiles>;
}

/** How the draft differs from a published version of the operator, file by file. */
export function ChangesPanel({
  files,
  name,
  origin,
  packages,
}: {
  files: PackageFiles;
  /** Of the operator. */
  name: string;
  origin: DraftOrigin | undefined;
  packages: readonly PackageSummary[];
}) {
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const fromCluster = useClusterVersions(name, packages);
  const versions: Published[] = [
    ...packages
      .filter((each) => each.name === name || each.name === origin?.name)
      .map(({ name: of, key }) => ({
        id: `${of} ${key}`,
        label: `${of} ${key}`,
        load: (signal: AbortSignal) => loadPackageFiles(of, key, signal),
      })),
    ...fromCluster,
  ];
  const fallback = versions.find(({ id: each }) => each === `${origin?.name} ${origin?.key}`) ?? versions[0];
  const version = versions.find(({ id: each }) => each === chosen) ?? fallback;
  if (version === undefined) {
    return (
      <EmptyState title="Nothing is published under this name">
        Neither the catalogue nor the cluster has an operator {name || 'without a name'}.
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-3 p-3">
      <span className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="text-ink-2">
          Compare with
        </label>
        <Select id={id} mono className="w-auto" value={version.id} onChange={(event) => setChosen(event.target.value)}>
          {versions.map(({ id: each, label }) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
        </Select>
      </span>
      <Differences key={version.id} files={files} version={version} />
    </div>
  );
}

/** The files of a package of the catalogue. */
export async function loadPackageFiles(name: string, key: string, signal?: AbortSignal): Promise<PackageFiles> {
  const path = `/api/packages/${encodeURIComponent(name)}/${encodeURIComponent(key)}/files`;
  const { files } = await request<{ files: { [path: string]: string } }>(path, signal === undefined ? {} : { signal });
  return new Map(Object.entries(files));
}

function Differences({ files, version }: { files: PackageFiles; version: Published }) {
  const { data, error } = useQuery({
    queryKey: ['package-files', version.id],
    staleTime: 60_000,
    queryFn: ({ signal }) => version.load(signal),
  });
  if (error !== null)
    return (
      <Notice tone="fail" title="The published version could not be read">
        {error.message}
      </Notice>
    );
  if (data === undefined) return <SkeletonRows />;
  const changes = changedFiles(data, files);
  if (changes.length === 0) return <EmptyState title="The draft is the same as this version" />;
  return (
    <>
      <p className="text-ink-2">
        {changes.length} {changes.length === 1 ? 'file differs' : 'files differ'}.
      </p>
      {changes.map(({ path, change, before, after }) => (
        <section key={path} aria-label={path} className="grid gap-1.5">
          <h3 className="flex items-baseline gap-2 font-medium">
            <code>{path}</code>
            <Tag>{change}</Tag>
          </h3>
          <TextVersions left={before} right={after} leftTitle={`Published ${path}`} rightTitle={`Draft ${path}`} />
        </section>
      ))}
    </>
  );
}
