import type { KubeObject } from '@/lib/kube/object';
import type { SchemaFieldError } from '@/lib/schema/field-error';

/** One thing wrong with one field; becomes a cause of an Invalid Status (Kubernetes apimachinery field.Error). */
export type FieldError = SchemaFieldError;

/** What a decoding found besides the object: fields that no schema knows, for `fieldValidation` and pruning. */
export interface DecodedObject {
  readonly object: KubeObject;
  /** Paths such as `spec.foo`, in the order of the text. */
  readonly unknownFields: readonly string[];
}

export interface StrategyContext {
  readonly nowMs: number;
  readonly subresource: string | undefined;
  /** Reads other objects of the sandbox (used cluster IPs, classes …); nothing is known without it. */
  readonly list?: ((resource: { group: string; resource: string }) => Iterable<KubeObject>) | undefined;
  /** One cluster-scoped object by its name. */
  readonly get?: ((resource: { group: string; resource: string }, name: string) => KubeObject | undefined) | undefined;
  /** Takes texts for Warning headers. */
  readonly warn?: ((text: string) => void) | undefined;
}

/**
 * What one kind adds to the common life of an object. The HTTP layer calls, on create: decode → applyDefaults →
 * prepareForCreate → validateCreate; on update: decode → applyDefaults → prepareForUpdate → validateUpdate. Name, uid and
 * namespace of a new object are set before prepareForCreate. Metadata rules common to all kinds (names, labels, immutable uid …) are the registry's, not the strategy's.
 */
export interface KindStrategy {
  /** Checks types against the schema and drops unknown fields; a wrong type throws a StatusError (400). */
  decode(object: KubeObject): DecodedObject;
  /** Fills what the API server fills; changes the object in place. */
  applyDefaults(object: KubeObject): void;
  /** Clears status, sets generation and the like; changes the object in place. */
  prepareForCreate(object: KubeObject, context: StrategyContext): void;
  /** Keeps what an update may not touch (status on the main resource, spec on `/status`); in place. */
  prepareForUpdate(object: KubeObject, old: KubeObject, context: StrategyContext): void;
  validateCreate(object: KubeObject, context: StrategyContext): readonly FieldError[];
  validateUpdate(object: KubeObject, old: KubeObject, context: StrategyContext): readonly FieldError[];
  /** True when a change from old to new counts as a new `metadata.generation` (spec changed). Not asked for `/status`. */
  bumpsGeneration(object: KubeObject, old: KubeObject): boolean;
}
