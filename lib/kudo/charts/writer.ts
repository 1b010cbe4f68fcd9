import { TerminalError } from '@/lib/errors/errors';
import { limits } from '@/lib/limits/limits';

/** Where the parts of a converted template go: into its text, or into a variable. */
export interface Writer {
  /** The text of definitions can be a part of it, because it becomes a text and not a value. */
  readonly isText: boolean;
  text(text: string): void;
  /** A value is printed. `isLine`: its text has no line break. */
  print(code: string, isLine: boolean): void;
  /** A tag that prints nothing. */
  control(code: string): void;
}

/** A text as a literal of Go templates. */
export function goString(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** The text of a template. */
export class TextWriter implements Writer {
  readonly isText = true;
  private out = '';
  private endsWithTag = false;

  get written(): string {
    return this.out;
  }

  text(text: string): void {
    if (text === '') return;
    // A trim on the right removes exactly the line break that is added for the reader.
    if (this.endsWithTag && /^\S/.test(text)) this.out = `${this.out.slice(0, -3)} -}}\n`;
    this.append(escapeBraces(text));
    this.endsWithTag = false;
  }

  print(code: string): void {
    // The text begins with a line break, so that a line for the tag with a trim on the left changes nothing.
    const indent = / nindent (\d+)$/.exec(code)?.[1];
    const isOwnLine = indent !== undefined && /\S$/.test(this.out);
    this.append(isOwnLine ? `\n${' '.repeat(Math.min(Number(indent), 40))}{{- ${code} }}` : `{{ ${code} }}`);
    this.endsWithTag = false;
  }

  /** A tag on a line of its own where that changes no output: the left trim removes exactly the line break that is added. */
  control(code: string): void {
    if (this.out === '') this.append(`{{- ${code} }}`);
    else this.append(/\s$/.test(this.out) ? `{{ ${code} }}` : `\n{{- ${code} }}`);
    this.endsWithTag = true;
  }

  private append(text: string): void {
    this.out += text;
    if (this.out.length <= limits.chartInlinedChars) return;
    throw new TerminalError(
      `A template is longer than ${limits.chartInlinedChars} characters with its definitions.`,
      'ChartTooLarge',
    );
  }
}

/** Writes with `pad` behind every line break, as `nindent` does with the text of a definition. */
export function paddedWriter(writer: Writer, pad: string): Writer {
  let line = '';
  return {
    isText: true,
    text(text) {
      line = text.includes('\n') ? text.slice(text.lastIndexOf('\n') + 1) : line + text;
      writer.text(text.replaceAll('\n', `\n${pad}`));
    },
    print(code, isLine) {
      // What follows a key on its line has one line; what has the line for itself may have more.
      const isOneLine = isLine && line.trim() !== '';
      line += 'value';
      writer.print(isOneLine ? code : padded(code, pad), isOneLine);
    },
    control: (code) => writer.control(code),
  };
}

function padded(code: string, pad: string): string {
  if (pad === '') return code;
  const own = /^(.*\| nindent )(\d+)$/s.exec(code);
  if (own !== null) return `${own[1]}${Number(own[2]) + pad.length}`;
  return `${asText(code)} | replace "\\n" ${goString(`\n${pad}`)}`;
}

function escapeBraces(text: string): string {
  return text.replaceAll('{{', '{{ "{{" }}');
}

/** Functions that give a text. */
const GIVES_TEXT =
  /(^|\| )(trunc|trimSuffix|trimPrefix|printf|print|quote|lower|upper|replace|nindent|indent|trim|toString|toYaml|toJson|b64enc|sha256sum|squote|join)( [^|]*)?$/;

type Piece = { readonly text: string } | { readonly code: string };

/** Remembers what is written, so that it can be seen before it is written somewhere else. */
export class Recorder implements Writer {
  private readonly events: ((writer: Writer) => void)[] = [];
  private readonly pieces: (Piece & { readonly isLine: boolean })[] = [];
  private hasControl = false;

  constructor(readonly isText: boolean) {}

  text(text: string): void {
    if (text === '') return;
    this.events.push((writer) => writer.text(text));
    this.pieces.push({ text, isLine: !text.includes('\n') });
  }

  print(code: string, isLine: boolean): void {
    this.events.push((writer) => writer.print(code, isLine));
    this.pieces.push({ code, isLine });
  }

  control(code: string): void {
    this.hasControl = true;
    this.events.push((writer) => writer.control(code));
  }

  /** The only thing that was written: a text, or one value. */
  get only(): (Piece & { readonly isLine: boolean }) | undefined {
    if (this.hasControl) return undefined;
    if (this.pieces.every((piece) => 'text' in piece)) {
      return {
        text: this.pieces.map((piece) => ('text' in piece ? piece.text : '')).join(''),
        isLine: this.pieces.every((piece) => piece.isLine),
      };
    }
    return this.pieces.length === 1 ? this.pieces[0] : undefined;
  }

  writeTo(writer: Writer): void {
    for (const event of this.events) event(writer);
  }
}

/** Collects everything in a variable, as Helm's `include` returns it. */
export class VariableWriter implements Writer {
  readonly isText = false;
  private pieces: Piece[] = [];
  private isDeclared = false;
  /** The variable may hold a text here; one entry for each open block: its beginning, and the end of its first branch. */
  private hasText = false;
  private readonly blocks: { readonly before: boolean; first: boolean }[] = [];

  /** @param write the tags go here */
  constructor(
    private readonly name: string,
    private readonly write: (code: string) => void,
  ) {}

  text(text: string): void {
    if (text === '') return;
    const last = this.pieces.at(-1);
    if (last !== undefined && 'text' in last) this.pieces[this.pieces.length - 1] = { text: last.text + text };
    else this.pieces.push({ text });
  }

  print(code: string): void {
    this.pieces.push({ code });
  }

  control(code: string): void {
    this.flush();
    if (!this.isDeclared) this.declare('""');
    this.write(code);
    if (/^(if|with|range) /.test(code)) {
      this.blocks.push({ before: this.hasText, first: false });
      // The second round of a loop adds to the first.
      if (code.startsWith('range ')) this.hasText = true;
    }
    const block = this.blocks.at(-1);
    if (block !== undefined && code === 'else') {
      block.first = this.hasText;
      this.hasText = block.before;
    }
    if (block !== undefined && code === 'end') {
      this.blocks.pop();
      this.hasText = this.hasText || block.first || block.before;
    }
  }

  /** Writes what is left; the variable exists then. */
  finish(): void {
    this.flush();
    if (!this.isDeclared) this.declare('""');
  }

  private flush(): void {
    const pieces = this.pieces.map((piece) => ('text' in piece ? goString(piece.text) : piece.code));
    if (pieces.length === 0) return;
    this.pieces = [];
    const value = this.hasText ? joined([this.name, ...pieces]) : joined(pieces);
    if (this.isDeclared) this.write(`${this.name} = ${value}`);
    else this.declare(value);
    this.hasText = true;
  }

  private declare(code: string): void {
    this.write(`${this.name} := ${code}`);
    this.isDeclared = true;
  }
}

/** TemplateCode whose value is the text that it prints. */
export function asText(code: string): string {
  return GIVES_TEXT.test(code) || isText(code) ? code : `print ${operandOf(code)}`;
}

/** One text of several pieces. */
function joined(pieces: readonly string[]): string {
  const [only = '""'] = pieces;
  if (pieces.length === 1) return asText(only);
  // `print` puts a space between two operands when neither is a text.
  return `print ${pieces.map((piece) => operandOf(asText(piece))).join(' ')}`;
}

function isText(piece: string): boolean {
  return piece.startsWith('"') || /^\$?\.(Params\.\w+|Name|Namespace|AppVersion)$/.test(piece) || /^\$\w+$/.test(piece);
}

/** TemplateCode that can be an argument. */
export function operandOf(code: string): string {
  return /^(\ufdd0?[.$][\w.]*|-?[\d.]+|"(?:[^"\\]|\\.)*"|true|false|nil)$/.test(code) ? code : `(${code})`;
}
