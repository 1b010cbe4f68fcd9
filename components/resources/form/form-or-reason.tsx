'use client';

import { EmptyState } from '@/components/ui/empty-state';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { LazyObjectForm } from './lazy-form';
import type { ObjectFormProps } from './object-form';

/** The form of an object, or why there is none: a kind without a schema can only be edited as YAML. */
export function FormOrReason({
  schema,
  ...props
}: Omit<ObjectFormProps, 'schema'> & { schema: JsonSchema | undefined }) {
  if (schema === undefined) {
    return (
      <EmptyState title="The schema of this kind is not known">
        The cluster publishes no schema for it, or the schema is still being read. The object can be edited as YAML.
      </EmptyState>
    );
  }
  return <LazyObjectForm {...props} schema={schema} />;
}
