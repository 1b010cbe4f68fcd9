import type { Clock } from '@/lib/clock/clock';
import type { PartCommand, PartFigures, PartMessage } from './part';

/** A part that does not answer by then is overloaded; the others are shown without it. */
const ANSWER_WITHIN_MS = 2_000;

/** Asks a part in a worker for its metrics, and gives each answer to the one who asked. */
export class MetricQuestions {
  private readonly open = new Map<number, (figures: PartFigures | undefined) => void>();
  private count = 0;

  constructor(
    private readonly clock: Clock,
    private readonly send: (command: PartCommand) => void,
  ) {}

  /** Never rejects; undefined without an answer. */
  ask(): Promise<PartFigures | undefined> {
    this.count += 1;
    const number = this.count;
    return new Promise((resolve) => {
      const timer = this.clock.after(ANSWER_WITHIN_MS, () => end(undefined));
      const end = (figures: PartFigures | undefined) => {
        timer.cancel();
        this.open.delete(number);
        resolve(figures);
      };
      this.open.set(number, end);
      this.send({ type: 'metrics', number });
    });
  }

  answer({ number, values, problems }: Extract<PartMessage, { type: 'metrics' }>): void {
    this.open.get(number)?.({ values, problems });
  }
}
