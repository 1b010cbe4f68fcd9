import type { JsonObject } from '@/lib/json/json';
import type { CheckedField } from './checked-field';
import type { StrategyContext } from './strategy';

/** The members of metadata that clients write. */
export type MetadataMember = 'annotations' | 'finalizers' | 'labels' | 'ownerReferences';

/** Of kinds whose `/status` leaves metadata alone. */
export const WHOLE_METADATA: readonly MetadataMember[] = ['annotations', 'finalizers', 'labels', 'ownerReferences'];

/**
 * What one kind has beyond its schema. Objects are plain JSON after decoding: types are right, unknown fields and nulls
 * are removed, defaults of the schema are set. All functions change objects in place.
 */
export interface KindRules {
  /** `spec` changes count as generations. Default: no `metadata.generation`. */
  readonly hasGeneration?: boolean;
  /** The members whose change makes a new generation; default `['spec']`. */
  readonly generationOf?: readonly string[];
  /** A change of annotations makes a new generation too, but through `/status`. */
  readonly annotationsMakeGeneration?: boolean;
  /** The members of metadata that `/status` leaves as they were; default none. */
  readonly keptByStatus?: readonly MetadataMember[];
  /** Creation keeps the status that the client sent. */
  readonly keepsStatusOnCreate?: boolean;
  readonly defaults?: (object: JsonObject) => void;
  readonly prepareCreate?: (object: JsonObject, context: StrategyContext) => void;
  readonly prepareUpdate?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
  readonly validate?: (object: CheckedField, context: StrategyContext) => void;
  /** Only for new objects, after `validate`. */
  readonly validateCreate?: (object: CheckedField, context: StrategyContext) => void;
  /** Only for updates, after `validate`. */
  readonly validateUpdate?: (object: CheckedField, old: JsonObject, context: StrategyContext) => void;
  /** Checks of a status written through `/status`. */
  readonly validateStatus?: (object: CheckedField, old: JsonObject, context: StrategyContext) => void;
}
