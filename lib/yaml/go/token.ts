import type { Mark } from './cursor';
import type { Directive, WrittenTag } from './scan-name';

/** The tokens of YAML. The scanner derives from the indentation where blocks begin and end, and what is a key. */
export type YamlToken = { readonly start: Mark } & (
  | { readonly kind: PlainKind }
  | { readonly kind: 'alias' | 'anchor'; readonly name: string }
  | { readonly kind: 'tag'; readonly tag: WrittenTag }
  | { readonly kind: 'directive'; readonly directive: Directive }
  | { readonly kind: 'scalar'; readonly text: string; readonly isPlain: boolean }
);

export type YamlTokenKind = YamlToken['kind'];

export type PlainKind =
  | 'stream-end'
  | 'document-start'
  | 'document-end'
  | 'block-sequence'
  | 'block-mapping'
  | 'block-end'
  | 'flow-sequence'
  | 'flow-sequence-end'
  | 'flow-mapping'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value';
