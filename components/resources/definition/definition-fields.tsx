'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { messageOf } from '@/lib/errors/errors';
import { definitionView } from '@/lib/kube/definition';
import { type KubeObject, nameOf } from '@/lib/kube/object';
import { topics } from '@/lib/live/topic';
import { kubePath } from '../resource-path';
import { SchemaBrowser } from './schema-browser';

/** The fields of a version. The live object has no schemas, which are most of a CRD, and the OpenAPI document none of versions that are not served. */
export function DefinitionFields({ definition, version }: { definition: KubeObject; version: string }) {
  const name = nameOf(definition);
  const { data, error } = useQuery({
    queryKey: ['definition', name, definition.metadata.uid, definition.metadata.generation],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      definitionView(await request<KubeObject>(kubePath({ ...topics.crds, name }), { signal })),
  });
  if (error !== null) {
    return (
      <Notice tone="fail" title="The fields cannot be read">
        {messageOf(error)}
      </Notice>
    );
  }
  if (data === undefined) return <SkeletonRows />;
  const schema = data.versions.find((each) => each.name === version)?.schema;
  if (schema === undefined) return <p className="px-4 py-3 text-ink-2">Version {version} has no schema.</p>;
  return <SchemaBrowser key={version} kind={data.kind} schema={schema} />;
}
