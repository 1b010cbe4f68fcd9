import { ConflictError } from '@/lib/errors/errors';

/** So often in a row another one may be faster before it is the caller's problem (A01). */
const ATTEMPTS = 5;

/** Runs a read and the guarded write that follows from it, again from the read whenever somebody else wrote in between. */
export async function retryOnConflict<T>(readAndWrite: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndWrite();
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt >= ATTEMPTS) throw error;
    }
  }
}
