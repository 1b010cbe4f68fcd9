import type { Effect, Steps } from './language/process';

/** So often a script asks the same and sleeps, before it counts as one that waits for an answer. */
const ROUNDS = 5;

/** What a script has asked of programs and servers that the sandbox only pretends to have, between one sleep and the next. */
export class Questions {
  private current: string[] = [];
  private last = '';
  private rounds = 0;

  ask(argv: readonly string[]): void {
    this.current.push(argv.join(' '));
  }

  /** Called at each sleep: true when the same was asked before each of the last ones. */
  isAskedAgain(): boolean {
    const asked = this.current.join('\n');
    this.current = [];
    if (asked === '') return false;
    this.rounds = asked === this.last ? this.rounds + 1 : 1;
    this.last = asked;
    return this.rounds >= ROUNDS;
  }

  get text(): string {
    return this.last.split('\n').at(-1) ?? '';
  }
}

/**
 * A script that has to end (of a Job, of an init container) and calls simulated programs in a loop would keep
 * its plan waiting for ever: it counts as done.
 */
export function* endIfStuck(
  steps: Steps<number>,
  questions: Questions,
  report: (question: string) => void,
): Steps<number> {
  let result: IteratorResult<Effect, number> = steps.next(undefined);
  while (result.done !== true) {
    if (result.value.kind === 'sleep' && questions.isAskedAgain()) {
      report(questions.text);
      return 0;
    }
    result = steps.next(yield result.value);
  }
  return result.value;
}
