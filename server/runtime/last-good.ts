import { messageOf } from '@/lib/errors/errors';

/** What files hold that are replaced while the process runs: the last content that could be used. */
export class LastGood<T> {
  private current: T | undefined;
  /** Why the files are not used as they are; undefined while they are. */
  problem: string | undefined;

  /** @param read reads and checks the files; gets what is used now. Its errors say what is wrong. */
  constructor(private readonly read: (current: T | undefined) => T) {}

  /** For the start. @throws the errors of `read` */
  first(): T {
    this.current = this.read(undefined);
    return this.current;
  }

  /** The content that is used. @throws the errors of `read` while there is none */
  get value(): T {
    return this.current ?? this.first();
  }

  /** Reads again. `kept`: the files have become unusable in a new way. */
  look(): 'same' | 'changed' | 'kept' {
    const before = JSON.stringify(this.value);
    try {
      const found = this.read(this.current);
      this.problem = undefined;
      if (JSON.stringify(found) === before) return 'same';
      this.current = found;
      return 'changed';
    } catch (error) {
      const problem = messageOf(error);
      const isNew = problem !== this.problem;
      this.problem = problem;
      return isNew ? 'kept' : 'same';
    }
  }
}
