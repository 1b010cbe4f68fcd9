import { ConflictError } from '@/lib/errors/errors';

/** After this many conflicts in a row the caller gets the error (docs/faults.md A01). */
const ATTEMPTS = 5;

/** Runs a read and the conditional write that follows from it; repeats both after a conflict. */
export async function retryOnConflict<T>(readAndWrite: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndWrite();
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt >= ATTEMPTS) throw error;
    }
  }
}
