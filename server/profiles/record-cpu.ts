import { Session } from 'node:inspector';

/**
 * Records where this thread spends its time, until the result is called, which gives the profile as JSON (`.cpuprofile` of Chrome's
 * developer tools).
 *
 * @throws when V8 refuses, for example because a debugger records already
 */
export async function recordCpu(): Promise<() => Promise<string>> {
  const session = new Session();
  session.connect();
  try {
    await post(session, 'Profiler.enable');
    await post(session, 'Profiler.start');
  } catch (error) {
    session.disconnect();
    throw error;
  }
  return async () => {
    try {
      const { profile } = (await post(session, 'Profiler.stop')) as { readonly profile: unknown };
      return JSON.stringify(profile);
    } finally {
      session.disconnect();
    }
  };
}

function post(session: Session, method: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    session.post(method, (error: Error | null, result?: object) => (error === null ? resolve(result) : reject(error)));
  });
}
