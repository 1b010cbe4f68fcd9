/** A document as it is written, before its texts are read as numbers and its aliases are followed. `line` is from 0. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly text: string;
  /** The complete tag, `!` for the non-specific tag; empty without one. */
  readonly tag: string;
  /** Neither quoted nor tagged, so that the text may be something else than a text. */
  readonly isPlain: boolean;
}

export interface SequenceNode {
  readonly kind: 'sequence';
  readonly line: number;
  readonly items: YamlNode[];
}

export interface MappingNode {
  readonly kind: 'mapping';
  readonly line: number;
  readonly pairs: [key: YamlNode, value: YamlNode][];
}

export interface AliasNode {
  readonly kind: 'alias';
  readonly line: number;
  readonly name: string;
  readonly target: YamlNode;
}
