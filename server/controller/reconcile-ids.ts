import { createHash } from 'node:crypto';

/**
 * The IDs of the reconciles of one controller: eight hexadecimal digits that name the controller, and a number that counts. They need no
 * random numbers, so that a scenario of the simulator stays the same, and sort in the order of the reconciles of a process.
 */
export class ReconcileIds {
  private readonly prefix: string;
  private count = 0;

  /**
   * @param identity of the process, as in the lease
   * @param startedMs wall time: a controller that is started again in the same process has other IDs
   */
  constructor(identity: string, startedMs: number) {
    this.prefix = createHash('sha256').update(`${identity}\n${startedMs}`).digest('hex').slice(0, 8);
  }

  next(): string {
    this.count += 1;
    return `${this.prefix}-${this.count}`;
  }
}
