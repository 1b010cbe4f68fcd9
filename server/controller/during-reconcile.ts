import { logWith } from '@/server/log/log';
import type { EventRecorder } from './events';
import type { ReconcilerDeps } from './reconciler-deps';

/** What one reconcile works with: its log lines have the field `reconcileID`, its events the annotation with the same text. */
export function duringReconcile(term: ReconcilerDeps, reconcileID: string, recorder: EventRecorder): ReconcilerDeps {
  return { ...term, log: logWith(term.log, { reconcileID }), events: recorder.during(reconcileID) };
}
