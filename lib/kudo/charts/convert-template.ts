import { limits } from '@/lib/limits/limits';
import type { PipeNode } from '@/lib/template/parse/nodes';
import { parseTrees } from '@/lib/template/parse/parser';
import { toBytes, toLooseText } from '@/lib/template/value/bytes';
import type { ChartValues } from './chart-values';
import { type ChartScope, ExpressionConverter, type Includes, writtenCode } from './expressions';
import { type HelmTree, lineOfNodeIn } from './helm-trees';
import { isConstantText } from './known-results';
import { type Meaning, toCode, Unconvertible } from './meaning';
import type { Chart } from './read-chart';
import { type Frame, StatementConverter } from './statements';
import { assignedVariables, isOneLine, numberOfCall } from './tree-facts';
import { asText, paddedWriter, Recorder, TextWriter, VariableWriter, type Writer } from './writer';

export interface ConvertOptions {
  readonly trees: ReadonlyMap<string, HelmTree>;
  readonly charts: ReadonlyMap<string, Chart>;
  readonly values: ChartValues;
  readonly prefix: readonly string[];
  note(message: string, file: string, line: number): void;
}

/**
 * A file of a chart as a template of a package: the same control structures with KUDO's variables. Definitions are inlined, because
 * templates of packages have no `include`; where their text goes through a function, a variable holds it.
 *
 * @throws Unconvertible with file and line
 */
export function convertTemplate(name: string, options: ConvertOptions): string {
  const source = options.trees.get(name);
  if (source === undefined) throw new Unconvertible(`there is no template ${name}`);
  return new TemplateConverter(options).file(source);
}

class TemplateConverter extends StatementConverter implements Includes {
  private readonly head: string[] = [];
  private readonly hoisted = new Map<string, Meaning>();
  private readonly names = new Set<string>();
  private readonly active: string[] = [];
  private inlines = 0;
  protected readonly expressions: ExpressionConverter;

  constructor(private readonly options: ConvertOptions) {
    super();
    this.expressions = new ExpressionConverter(options.values, options.charts, this);
  }

  file(source: HelmTree): string {
    const writer = new TextWriter();
    const root: Meaning = { kind: 'root', chart: source.chart, prefix: this.options.prefix };
    this.body(source, { dot: root, isAtRoot: true, writer });
    const head = this.head.map((code) => `{{- ${code} -}}\n`).join('');
    return `${head}${writer.written.replace(/^\n+/, '').trimEnd()}\n`;
  }

  /** The statements of a file or definition with its own dot and variables. */
  private body(source: HelmTree, place: { dot: Meaning; isAtRoot: boolean; writer: Writer }): void {
    const before = this.frame;
    const assigned = assignedVariables(source.tree);
    this.frame = { ...place, dollar: place.dot, variables: new Map(), source, assigned };
    try {
      this.list(source.tree, this.frame);
    } catch (error) {
      if (!(error instanceof Unconvertible) || error.file !== '') throw error;
      const line = error.at < 0 ? 1 : lineOfNodeIn(source, error.at);
      throw new Unconvertible(error.message, error.at, source.file, line);
    } finally {
      this.frame = before;
    }
  }

  /** `include "x" .` and `include "x" . | nindent 4` as statements: the definition's own text, with that indentation. */
  protected override inlined(pipe: PipeNode, frame: Frame): boolean {
    const [first, second, third] = pipe.commands;
    const [fn, name, data] = first?.arguments ?? [];
    if (fn?.kind !== 'identifier' || fn.name !== 'include' || third !== undefined) return false;
    if (name?.kind !== 'string' || data === undefined) return false;
    const indent = numberOfCall(second, 'nindent');
    if (second !== undefined && indent === undefined) return false;
    if (!frame.writer.isText || this.isShort(toLooseText(name.value))) return false;
    const recorder = new Recorder(true);
    this.inline(toLooseText(name.value), this.expressions.operand(data, frame), frame, recorder);
    const { only } = recorder;
    if (only !== undefined && 'code' in only && indent !== undefined) {
      frame.writer.print(`${only.code} | nindent ${indent}`, false);
      return true;
    }
    const pad = ' '.repeat(indent ?? 0);
    if (indent !== undefined) frame.writer.text(`\n${pad}`);
    recorder.writeTo(pad === '' ? frame.writer : paddedWriter(frame.writer, pad));
    return true;
  }

  /** A definition of one line is held in a variable: a file uses it often. */
  private isShort(name: string): boolean {
    const source = this.options.trees.get(name);
    return source !== undefined && isOneLine(source.tree, this.options.trees);
  }

  protected override inline(name: string, data: Meaning, frame: ChartScope, writer: Writer): void {
    const source = this.options.trees.get(name);
    if (source === undefined) throw new Unconvertible(`there is no definition "${name}"`);
    if (this.active.includes(name)) throw new Unconvertible(`"${name}" includes itself`);
    if (++this.inlines > limits.chartInlines) throw new Unconvertible('definitions are included too often');
    this.active.push(name);
    // The dot of a loop is another one inside the definition's own blocks.
    const dot = data.kind === 'code' && data.isOfDot ? this.hold(data.code) : data;
    this.body(source, { dot, isAtRoot: frame.isAtRoot, writer });
    this.active.pop();
  }

  include(name: string, data: Meaning, scope: ChartScope): Meaning {
    if (data.kind !== 'root')
      return this.captured(name, (writer) => this.inline(name, data, scope, writer), this.writeHere());
    const identity = JSON.stringify([name, data.prefix]);
    const known = this.hoisted.get(identity);
    if (known !== undefined) return known;
    const lines: string[] = [];
    const atRoot = { ...scope, isAtRoot: true };
    const inline = (writer: Writer) => this.inline(name, data, atRoot, writer);
    const meaning = this.captured(name, inline, (code) => lines.push(code));
    this.head.push(...lines);
    this.hoisted.set(identity, meaning);
    return meaning;
  }

  /** The text that `convert` writes: a constant, an expression, or a new variable that holds it. */
  private captured(name: string, convert: (writer: Writer) => void, write: (code: string) => void): Meaning {
    const recorder = new Recorder(false);
    convert(recorder);
    const { only } = recorder;
    if (only !== undefined && 'text' in only) return { kind: 'constant', value: only.text };
    if (only !== undefined && /^[^"]{1,60}$/.test(only.code)) {
      return toCode(asText(only.code), { isLine: only.isLine, isOfDot: /(^|[\s(])\.[\s)]|\.$/.test(only.code) });
    }
    const variable = this.freshName(name);
    const writer = new VariableWriter(variable, write);
    recorder.writeTo(writer);
    writer.finish();
    return toCode(variable, { isLine: this.isShort(name) });
  }

  /** Writes tags where the statement that is converted now stands. */
  private writeHere(): (code: string) => void {
    const { frame } = this;
    return (code) => frame?.writer.control(code);
  }

  tpl(value: Meaning, data: Meaning, scope: ChartScope): Meaning {
    if (isConstantText(value)) return value.value.includes('{{') ? this.inlineText(value.value, data, scope) : value;
    if (value.kind === 'values') {
      const place = this.options.values.placeOf(value.path);
      const written = place.kind === 'parameter' ? place.parameter.value : undefined;
      if (typeof written === 'string' && written.includes('{{')) {
        this.note(
          `${value.path.join('.')} is a template by default; its value is fixed, because parameters are not templates.`,
        );
        return this.inlineText(written, data, scope);
      }
    }
    this.note('tpl: a value with {{ … }} is not rendered; parameters are not templates.');
    return value;
  }

  private inlineText(text: string, data: Meaning, scope: ChartScope): Meaning {
    const bytes = toBytes(text);
    const trees = parseTrees(bytes, {
      fileName: 'tpl',
      trees: new Map(),
      hasFunction: () => true,
      whyAbsent: () => undefined,
    });
    const tree = trees.get('tpl');
    const source = this.frame?.source;
    if (tree === undefined || source === undefined) throw new Unconvertible('tpl of an empty text');
    const inline = (writer: Writer) =>
      this.body({ ...source, tree, text: bytes }, { dot: data, isAtRoot: scope.isAtRoot, writer });
    return this.captured('text', inline, this.writeHere());
  }

  hold(code: string): Meaning {
    const name = this.freshName('item');
    this.frame?.writer.control(`${name} := ${writtenCode(code, this.frame.isAtRoot)}`);
    return toCode(name);
  }

  note(message: string): void {
    const source = this.frame?.source;
    if (source !== undefined) this.options.note(message, source.file, lineOfNodeIn(source, this.at));
  }

  /** `chart.fullname` → `$fullname`, or `$fullname2`. */
  protected override freshName(from: string): string {
    const last = from
      .slice(from.lastIndexOf('.') + 1)
      .replace(/[^A-Za-z0-9]+(.)?/g, (_all, next?: string) => (next ?? '').toUpperCase());
    const base = `$${/^[A-Za-z]/.test(last) ? last : 'value'}`;
    let name = base;
    for (let count = 2; this.names.has(name); count++) name = `${base}${count}`;
    this.names.add(name);
    return name;
  }
}
