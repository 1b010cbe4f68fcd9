import { GoYamlError, type Mark } from './cursor';
import type { MappingNode, ScalarNode, SequenceNode, YamlNode } from './nodes';
import type { WrittenTag } from './scan-name';
import { YamlScanner } from './scanner';
import type { YamlToken, YamlTokenKind } from './token';

/** The first document of a text. */
export interface YamlDocument {
  /** Undefined for a text without a document. */
  readonly root: YamlNode | undefined;
  /** False when more follows than marks of documents. Only the first document has been read. */
  readonly isWhole: () => boolean;
}

const TAGS: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

type Place = 'block' | 'block-value' | 'flow';

/**
 * Reads the first document of a text by the grammar of libyaml 0.1.
 * @param maxDepth levels, the scalars at the bottom among them
 * @throws GoYamlError
 */
export function parseGoYaml(text: string, maxDepth: number): YamlDocument {
  return new Parser(text, maxDepth).document();
}

class Parser {
  private readonly scanner: YamlScanner;
  private readonly anchors = new Map<string, YamlNode>();
  private readonly prefixes = new Map<string, string>();
  private depth = 0;

  constructor(
    text: string,
    private readonly maxDepth: number,
  ) {
    this.scanner = new YamlScanner(text);
  }

  document(): YamlDocument {
    const { kind } = this.scanner.peek();
    if (kind === 'stream-end') return { root: undefined, isWhole: () => true };
    let root: YamlNode;
    if (kind === 'directive' || kind === 'document-start') {
      this.directives();
      if (this.scanner.peek().kind !== 'document-start') throw this.error('did not find expected <document start>');
      this.scanner.next();
      root = this.isNext('directive', 'document-start', 'document-end', 'stream-end')
        ? this.empty()
        : this.node('block');
    } else {
      this.directives();
      root = this.node('block');
    }
    // Go reads one token beyond the document.
    this.scanner.peek();
    return { root, isWhole: () => this.isAtEnd() };
  }

  private isAtEnd(): boolean {
    try {
      while (this.isNext('document-end')) this.scanner.next();
      return this.isNext('stream-end');
    } catch (error) {
      if (error instanceof GoYamlError) return false;
      throw error;
    }
  }

  private directives(): void {
    let hasVersion = false;
    for (let token = this.scanner.peek(); token.kind === 'directive'; token = this.scanner.peek()) {
      const { directive } = token;
      if (directive.name === 'YAML') {
        if (hasVersion) throw this.error('found duplicate %YAML directive');
        if (directive.version !== '1.1') throw this.error('found incompatible YAML document');
        hasVersion = true;
      } else {
        if (this.prefixes.has(directive.handle)) throw this.error('found duplicate %TAG directive');
        this.prefixes.set(directive.handle, directive.prefix);
      }
      this.scanner.next();
    }
    for (const [handle, prefix] of TAGS) if (!this.prefixes.has(handle)) this.prefixes.set(handle, prefix);
  }

  private isNext(...kinds: readonly YamlTokenKind[]): boolean {
    return kinds.includes(this.scanner.peek().kind);
  }

  /** At the next token, within what began at `context`. Go names the line before. */
  private error(problem: string, context?: Mark): GoYamlError {
    const { start } = this.scanner.peek();
    return new GoYamlError(problem, start, start.line || (context?.line ?? 0));
  }

  private empty(tag = ''): ScalarNode {
    return { kind: 'scalar', line: this.scanner.peek().start.line, text: '', tag, isPlain: tag === '' };
  }

  private node(place: Place): YamlNode {
    this.depth += 1;
    if (this.depth > this.maxDepth) throw this.error(`The document is nested deeper than ${this.maxDepth - 1} levels.`);
    const first = this.scanner.peek();
    const node = first.kind === 'alias' ? this.alias(first) : this.content(first, place);
    this.depth -= 1;
    return node;
  }

  private alias(token: YamlToken & { kind: 'alias' | 'anchor' }): YamlNode {
    const { name, start } = token;
    const target = this.anchors.get(name);
    if (target === undefined) throw new GoYamlError(`unknown anchor '${name}' referenced`, start, 0);
    this.scanner.next();
    return { kind: 'alias', line: start.line, name, target };
  }

  private content(first: YamlToken, place: Place): YamlNode {
    const { anchor, tag } = this.properties(first.start);
    const token = this.scanner.peek();
    const { line } = token.start;
    const known = <T extends YamlNode>(node: T): T => {
      if (anchor !== undefined) this.anchors.set(anchor, node);
      return node;
    };
    if (token.kind === 'scalar') {
      this.scanner.next();
      const isPlain = (tag === '' && token.isPlain) || tag === '!';
      return known({ kind: 'scalar', line, text: token.text, tag, isPlain });
    }
    if (token.kind === 'flow-sequence') return this.flowSequence(known({ kind: 'sequence', line, items: [] }));
    if (token.kind === 'flow-mapping') return this.flowMapping(known({ kind: 'mapping', line, pairs: [] }));
    if (token.kind === 'block-entry' && place === 'block-value') {
      return this.flatSequence(known({ kind: 'sequence', line, items: [] }));
    }
    if (token.kind === 'block-sequence' && place !== 'flow') {
      return this.blockSequence(known({ kind: 'sequence', line, items: [] }));
    }
    if (token.kind === 'block-mapping' && place !== 'flow') {
      return this.blockMapping(known({ kind: 'mapping', line, pairs: [] }));
    }
    if (anchor !== undefined || tag !== '') return known(this.empty(tag));
    throw this.error('did not find expected node content', first.start);
  }

  /** An anchor and a tag, in any order. */
  private properties(start: Mark): { anchor?: string; tag: string } {
    let anchor: string | undefined;
    let tag: string | undefined;
    for (;;) {
      const token = this.scanner.peek();
      if (token.kind === 'anchor' && anchor === undefined) anchor = token.name;
      else if (token.kind === 'tag' && tag === undefined) {
        tag = this.resolveTag(token.tag);
        if (tag === undefined) throw new GoYamlError('found undefined tag handle', token.start, start.line);
      } else break;
      this.scanner.next();
    }
    return { tag: tag ?? '', ...(anchor === undefined ? {} : { anchor }) };
  }

  /** The whole tag; undefined when its handle is unknown, or when nothing is left of it. */
  private resolveTag({ handle, suffix }: WrittenTag): string | undefined {
    if (handle === '') return suffix;
    const prefix = this.prefixes.get(handle);
    return prefix === undefined || prefix + suffix === '' ? undefined : prefix + suffix;
  }

  private blockSequence(node: SequenceNode): SequenceNode {
    const { start } = this.scanner.next();
    while (this.isNext('block-entry')) {
      this.scanner.next();
      node.items.push(this.isNext('block-entry', 'block-end') ? this.empty() : this.node('block'));
    }
    if (!this.isNext('block-end')) throw this.error("did not find expected '-' indicator", start);
    this.scanner.next();
    return node;
  }

  /** A list in a mapping at the column of its key. */
  private flatSequence(node: SequenceNode): SequenceNode {
    while (this.isNext('block-entry')) {
      this.scanner.next();
      const isEmpty = this.isNext('block-entry', 'key', 'value', 'block-end');
      node.items.push(isEmpty ? this.empty() : this.node('block'));
    }
    return node;
  }

  private blockMapping(node: MappingNode): MappingNode {
    const { start } = this.scanner.next();
    while (this.isNext('key')) {
      this.scanner.next();
      const key = this.blockPart();
      if (!this.isNext('value')) node.pairs.push([key, this.empty()]);
      else {
        this.scanner.next();
        node.pairs.push([key, this.blockPart()]);
      }
    }
    if (!this.isNext('block-end')) throw this.error('did not find expected key', start);
    this.scanner.next();
    return node;
  }

  private blockPart(): YamlNode {
    return this.isNext('key', 'value', 'block-end') ? this.empty() : this.node('block-value');
  }

  private flowSequence(node: SequenceNode): SequenceNode {
    const { start } = this.scanner.next();
    while (!this.isNext('flow-sequence-end')) {
      if (node.items.length > 0) this.comma("did not find expected ',' or ']'", start);
      if (this.isNext('flow-sequence-end')) break;
      if (!this.isNext('key')) node.items.push(this.node('flow'));
      else {
        const { line } = this.scanner.next().start;
        node.items.push({ kind: 'mapping', line, pairs: [this.flowPairInSequence()] });
      }
    }
    this.scanner.next();
    return node;
  }

  /** `a: b` without braces. A pair without a key skips the token after `?`, as libyaml does. */
  private flowPairInSequence(): [YamlNode, YamlNode] {
    let key: YamlNode;
    if (this.isNext('value', 'flow-entry', 'flow-sequence-end')) {
      key = this.empty();
      this.scanner.next();
    } else key = this.node('flow');
    if (this.isNext('value')) {
      this.scanner.next();
      if (!this.isNext('flow-entry', 'flow-sequence-end')) return [key, this.node('flow')];
    }
    return [key, this.empty()];
  }

  private flowMapping(node: MappingNode): MappingNode {
    const { start } = this.scanner.next();
    while (!this.isNext('flow-mapping-end')) {
      if (node.pairs.length > 0) this.comma("did not find expected ',' or '}'", start);
      if (this.isNext('flow-mapping-end')) break;
      if (this.isNext('key')) {
        this.scanner.next();
        const key = this.isNext('value', 'flow-entry', 'flow-mapping-end') ? this.empty() : this.node('flow');
        node.pairs.push([key, this.flowValue()]);
      } else node.pairs.push([this.node('flow'), this.empty()]);
    }
    this.scanner.next();
    return node;
  }

  private flowValue(): YamlNode {
    if (!this.isNext('value')) return this.empty();
    this.scanner.next();
    return this.isNext('flow-entry', 'flow-mapping-end') ? this.empty() : this.node('flow');
  }

  private comma(problem: string, start: Mark): void {
    if (!this.isNext('flow-entry')) throw this.error(problem, start);
    this.scanner.next();
  }
}
