'use client';

import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { type KindSummary, resourceName } from '@/lib/kube/kinds';
import { formatApiVersion } from '@/lib/kube/object';
import { kindHref } from '../resource-path';
import { useKindSchema } from '../use-schemas';
import { SchemaBrowser } from './schema-browser';

/** The fields of any kind, from the schema that the API server publishes: `kubectl explain` as a page. */
export function ExplainPage({ kind }: { kind: KindSummary }) {
  const apiVersion = formatApiVersion(kind.group, kind.version);
  const { schema, isPending } = useKindSchema(apiVersion, kind.kind);
  return (
    <>
      <PageHeader
        title={`Fields of ${kind.kind}`}
        crumbs={[
          { label: 'Resources', href: '/resources' },
          { label: resourceName(kind), href: kindHref(kind) },
          { label: 'fields' },
        ]}
        note={<code>{apiVersion}</code>}
      />
      <Card>
        {schema !== undefined && <SchemaBrowser kind={kind.kind} schema={schema} />}
        {schema === undefined && isPending && <SkeletonRows />}
        {schema === undefined && !isPending && (
          <EmptyState
            title={`The API server publishes no schema of ${kind.kind}`}
            action={<LinkButton href={kindHref(kind)}>All {kind.resource}</LinkButton>}
          >
            The fields cannot be listed. Open an object of the kind as YAML to see which ones it has.
          </EmptyState>
        )}
      </Card>
    </>
  );
}
