import { createInterface } from 'node:readline';
import { TerminalError } from '@/lib/errors/errors';

export interface PromptQuestion {
  readonly text: string;
  /** The value of an empty answer. */
  readonly otherwise?: string;
  /** What is wrong with an answer; then the question is repeated. */
  readonly check?: (answer: string) => string | undefined;
}

/** Asks questions on standard input, one line per answer. The end of the input is the error `^D`, as in KUDO. */
export class Prompter {
  private readonly reader = createInterface({ input: process.stdin });
  private readonly lines = this.reader[Symbol.asyncIterator]();

  async ask({ text, otherwise = '', check }: PromptQuestion): Promise<string> {
    for (;;) {
      process.stdout.write(`${text}${otherwise === '' ? '' : ` [${otherwise}]`}: `);
      const next = await this.lines.next();
      if (next.done === true) throw new TerminalError('^D', 'EndOfInput');
      const answer = next.value.trim() === '' ? otherwise : next.value.trim();
      const problem = check?.(answer);
      if (problem === undefined) return answer;
      process.stdout.write(`${problem}\n`);
    }
  }

  /** One of the options; the first for an empty answer. */
  choose(text: string, options: readonly string[]): Promise<string> {
    const check = (answer: string) =>
      options.includes(answer) ? undefined : `the answer must be one of ${options.join(', ')}`;
    return this.ask({ text: `${text} (${options.join(', ')})`, otherwise: options[0] ?? '', check });
  }

  async confirm(text: string): Promise<boolean> {
    return /^y(es)?$/i.test(await this.ask({ text: `${text} (y/N)` }));
  }

  /** Answers until one is empty. The next question is asked when the caller asks for it. */
  async *each(text: string): AsyncGenerator<string> {
    for (;;) {
      const answer = await this.ask({ text: `${text} (empty: end)` });
      if (answer === '') return;
      yield answer;
    }
  }

  close(): void {
    this.reader.close();
  }
}

/** Runs `act` with a prompter, and closes the prompter in any case. */
export async function withPrompter<T>(act: (prompter: Prompter) => Promise<T>): Promise<T> {
  const prompter = new Prompter();
  try {
    return await act(prompter);
  } finally {
    prompter.close();
  }
}
