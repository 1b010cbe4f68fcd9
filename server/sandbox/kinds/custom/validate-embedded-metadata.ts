import type { JsonObject } from '@/lib/json/json';
import { dnsLabelProblems, pathSegmentProblems } from '@/lib/kube/label-syntax';
import type { ObjectMeta } from '@/lib/kube/object';
import { invalid } from '@/lib/schema/field-error';
import { validateObjectMeta } from '../../registry/validate-metadata';
import type { FieldError } from '../strategy';

/** ObjectMeta of an embedded resource, already decoded; it needs no name. */
export function validateEmbeddedMetadata(metadata: JsonObject, path: string): FieldError[] {
  const named = metadata.name === undefined || metadata.name === '' ? { ...metadata, name: 'fakename' } : metadata;
  // Decoded as ObjectMeta before it comes here.
  const errors = validateObjectMeta(named as unknown as ObjectMeta, pathSegmentProblems, true);
  const { namespace } = metadata;
  if (typeof namespace === 'string' && namespace !== '') {
    for (const problem of dnsLabelProblems(namespace)) errors.push(invalid('metadata.namespace', namespace, problem));
  }
  return errors.map((error) => ({ ...error, field: error.field.replace(/^metadata/, path) }));
}
