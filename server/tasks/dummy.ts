import type { TaskOutcome } from '@/lib/kudo/plan/pass';
import type { Task } from '@/lib/kudo/types';

/** Dummy: ends as its spec says, for tests of operators. */
export function runDummy(task: Task): TaskOutcome {
  const { wantErr = false, fatal = false, done = false } = task.spec ?? {};
  if (wantErr && fatal) return { state: 'fatal', reason: 'DummyTaskError', message: 'dummy error' };
  if (wantErr) return { state: 'failed', message: 'dummy error' };
  return done ? { state: 'done' } : { state: 'waiting', messages: [] };
}
