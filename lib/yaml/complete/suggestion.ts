import type { JsonValue } from '@/lib/json/json';

/** One thing that may be written at the cursor. */
export interface Suggestion {
  readonly label: string;
  readonly kind: 'key' | 'value' | 'variable' | 'function' | 'keyword';
  /** Beside the label: a type. */
  readonly detail: string;
  readonly description: string;
  /** What is written; the label when absent. */
  readonly apply?: string;
}

/** What may be written from `from` to the cursor. */
export interface Suggestions {
  readonly from: number;
  readonly items: readonly Suggestion[];
}

/** What a word of a text means. */
export interface HoverText {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  /** In a word: a type. */
  readonly detail: string;
  readonly description: string;
}

/** What completion reads of a schema: OpenAPI, or what a package says of its own files. */
export interface TextSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly JsonValue[];
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: TextSchema };
  readonly items?: TextSchema;
  readonly additionalProperties?: TextSchema | boolean;
  /** From which names the value is chosen; files of packages only. */
  readonly names?: string;
}

/** A value as a suggestion. */
export function suggestValue(label: string): Suggestion {
  return { label, kind: 'value', detail: '', description: '' };
}
