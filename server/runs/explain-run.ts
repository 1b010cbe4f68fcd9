import { nameOf, namespaceOf } from '@/lib/kube/object';
import { INSTANCES, OPERATOR_VERSIONS } from '@/lib/kudo/crds/crds';
import { knownSecretTexts } from '@/lib/kudo/drift/secret-texts';
import { operatorVersionKey } from '@/lib/kudo/names';
import { explainFailure } from '@/lib/kudo/runs/explain-failure';
import { failedStepOf } from '@/lib/kudo/runs/failed-step';
import type { FailureExplanation } from '@/lib/kudo/runs/failure-explanation';
import { isOver, type PlanRun } from '@/lib/kudo/runs/plan-run';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { NO_EVIDENCE } from '@/lib/kudo/view/step-explanation';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { explainLive } from '@/server/instances/explain-live';
import type { Api } from '@/server/kube/api';
import { readSources } from '@/server/parameters/read-sources';
import { withReadValues } from '@/server/parameters/with-read-values';
import { readRunRecord } from './record-secret';

/**
 * Why a run failed, as its record says, or why it does not end, from the objects as they are now. Undefined for a run that is complete,
 * and for one whose steps have not begun.
 *
 * @throws whatever the API says
 */
export async function explainRun(api: Api, run: PlanRun): Promise<FailureExplanation | undefined> {
  if (!isOver(run.status?.status)) return explainOpen(api, run);
  if (run.status?.status === 'COMPLETE') return undefined;
  const record = await readRunRecord(api, run);
  return record?.failure?.explanation ?? fromStatus(run);
}

/** What its status says: older records have no more, and a run that another one replaced was not looked at. */
function fromStatus({ spec, status = {} }: PlanRun): FailureExplanation {
  const { message = '' } = status;
  return explainFailure({ plan: spec?.plan ?? '', state: 'failed', message }, NO_EVIDENCE);
}

async function explainOpen(api: Api, run: PlanRun): Promise<FailureExplanation | undefined> {
  const key = { namespace: namespaceOf(run), name: run.spec?.instanceName ?? '' };
  const { plan = '', uid } = run.spec ?? {};
  const instance = (await api.get({ ...INSTANCES, ...key })) as Instance | undefined;
  const status = instance?.status?.planStatus?.[plan];
  if (instance === undefined || status === undefined || status.uid !== uid) return undefined;
  const step = failedStepOf(plan, status);
  if (step === undefined) return undefined;
  const masking = { texts: await secretTexts(api, instance), fingerprints: { of: () => SECRET_MARK } };
  return (await explainLive(api, key, step, { masking })).explanation;
}

/** As far as the person may read them. */
async function secretTexts(api: Api, instance: Instance): Promise<ReadonlySet<string>> {
  const version = await api.get({ ...OPERATOR_VERSIONS, ...operatorVersionKey(instance) });
  const reads = await readSources(api, [instance]);
  return knownSecretTexts(withReadValues(instance, reads), version as OperatorVersion | undefined);
}

/** For a run that has nothing to explain. */
export function nothingToExplain(run: PlanRun): string {
  const what = run.status?.status === 'COMPLETE' ? 'did not fail' : 'has no step under way';
  return `run ${namespaceOf(run)}/${nameOf(run)} ${what}, so there is nothing to explain`;
}
