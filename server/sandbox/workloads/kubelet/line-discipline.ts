import { encode } from '../shell/language/io';

/** Columns and rows, as the client says them; a terminal begins with what most have. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export const FIRST_SIZE: TerminalSize = { columns: 80, rows: 24 };

/** What a process that waits gets from its terminal: a line, the end of the input, or Ctrl-C. */
export type TypedEvent = { readonly line: Uint8Array } | 'end' | 'interrupt';

/** The longest line that can be edited (Linux N_TTY_BUF_SIZE). */
const LINE_CHARS = 4_095;
/** Lines that wait for a process that reads none. */
const WAITING = 1_000;

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const CTRL_U = '\x15';
const CTRL_W = '\x17';
const ERASE = new Set(['\x7f', '\b']);

/**
 * The line discipline of a simulated terminal (Linux n_tty in canonical mode): shows what is typed, edits the line, and hands it on at
 * Enter. Ctrl-C interrupts, Ctrl-D on an empty line ends the input, Ctrl-U and Ctrl-W erase.
 */
export class LineDiscipline {
  private line: string[] = [];
  private readonly waiting: TypedEvent[] = [];
  private readonly decoder = new TextDecoder();
  private wake: () => void = () => {};

  constructor(private readonly show: (bytes: Uint8Array) => void) {}

  /** What the person typed. */
  type(bytes: Uint8Array): void {
    for (const char of this.decoder.decode(bytes, { stream: true })) this.take(char);
    this.wake();
  }

  /** The client sends nothing more. */
  close(): void {
    this.waiting.push('end');
    this.wake();
  }

  /** The next event; undefined when there is none yet. A process that does not read gets Ctrl-C only, before the lines in front of it. */
  next(isReading: boolean): TypedEvent | undefined {
    const interrupt = this.waiting.indexOf('interrupt');
    if (interrupt >= 0) {
      this.waiting.splice(0, interrupt + 1);
      return 'interrupt';
    }
    return isReading ? this.waiting.shift() : undefined;
  }

  /** Calls back at the next event. */
  onEvent(listener: () => void): { cancel(): void } {
    this.wake = listener;
    return {
      cancel: () => {
        this.wake = () => {};
      },
    };
  }

  private take(char: string): void {
    if (char === CTRL_C) {
      this.line = [];
      this.echo('^C\r\n');
      this.waiting.push('interrupt');
    } else if (char === CTRL_D) {
      if (this.line.length === 0) this.waiting.push('end');
    } else if (ERASE.has(char)) this.erase(1);
    else if (char === CTRL_U) this.erase(this.line.length);
    else if (char === CTRL_W) this.erase(wordLength(this.line));
    else if (char === '\r' || char === '\n') this.enter();
    else if (this.line.length < LINE_CHARS) {
      this.line.push(char);
      this.echo(char < ' ' && char !== '\t' ? `^${String.fromCharCode(char.charCodeAt(0) + 64)}` : char);
    }
  }

  private enter(): void {
    this.echo('\r\n');
    if (this.waiting.length < WAITING) this.waiting.push({ line: encode(`${this.line.join('')}\n`) });
    this.line = [];
  }

  private erase(count: number): void {
    const erased = this.line.splice(this.line.length - count);
    const cells = erased.reduce((sum, char) => sum + (char < ' ' && char !== '\t' ? 2 : 1), 0);
    this.echo('\b \b'.repeat(cells));
  }

  private echo(text: string): void {
    if (text !== '') this.show(encode(text));
  }
}

/** How many characters the last word has, with the blanks after it. */
function wordLength(line: readonly string[]): number {
  const kept = line.join('').replace(/\S*\s*$/, '');
  return line.length - [...kept].length;
}
