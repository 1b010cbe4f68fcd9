export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one label. `values` has one member for `=`, `==`, `!=`, `gt`, `lt`, none for `exists` and `!`. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** Why a selector cannot be read, in the words of the API server (apimachinery labels.Parse, fields.ParseSelector). */
export class SelectorError extends Error {}
