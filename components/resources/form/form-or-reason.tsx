'use client';

import { EmptyState } from '@/components/ui/empty-state';
import { SkeletonRows } from '@/components/ui/skeleton';
import { useKindSchema } from '../use-schemas';
import { LazyObjectForm } from './lazy-form';
import type { ObjectFormProps } from './object-form';

/** The form of an object, or why there is none: a kind without a schema can only be edited as YAML. */
export function FormOrReason({
  apiVersion,
  kind,
  ...props
}: Omit<ObjectFormProps, 'schema'> & { apiVersion: string; kind: string }) {
  const { schema, isPending } = useKindSchema(apiVersion, kind);
  if (schema !== undefined) return <LazyObjectForm {...props} schema={schema} />;
  if (isPending) return <SkeletonRows />;
  return (
    <EmptyState title="The cluster publishes no schema of this kind">The object can be edited as YAML.</EmptyState>
  );
}
