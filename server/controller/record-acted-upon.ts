import { formatTime } from '@/lib/clock/clock';
import { formatActedUpon, withSources } from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { withCleanupFinalizer } from '@/lib/kudo/plan/scheduled';
import type { Instance } from '@/lib/kudo/types';
import { AGAIN, type Outcome } from './outcome';
import type { ReconcilerDeps } from './reconciler-deps';
import type { Found } from './run-memories';

/** Takes an Instance over as it is (KUDO's own, or an edit that starts nothing). */
export async function recordActedUpon(
  deps: ReconcilerDeps,
  instance: Instance,
  { operatorVersion, reads }: Found,
): Promise<Outcome> {
  const { planName: plan = '', uid = '' } = instance.spec?.planExecution ?? {};
  const startedAt = formatTime(deps.clock.now());
  const context = { fingerprints: deps.fingerprints, operatorVersion };
  const inputs = withSources(instance, reads, deps.fingerprints);
  const text = formatActedUpon(inputs, context, plan === '' || uid === '' ? undefined : { plan, uid, startedAt });
  const annotations = { [ACTED_UPON_ANNOTATION]: text };
  const next = withCleanupFinalizer(instance, operatorVersion);
  if (next === instance) {
    await deps.store.annotate(instance, annotations);
    return AGAIN;
  }
  await deps.store.write({
    ...next,
    metadata: { ...next.metadata, annotations: { ...next.metadata.annotations, ...annotations } },
  });
  return AGAIN;
}
