import { systemClock } from '@/lib/clock/clock';
import { type ChangePreview, type InstanceEdit, planForChange } from '@/lib/kudo/admission/triggers';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import { NO_READS } from '@/lib/kudo/sources/source-values';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { Api } from '@/server/kube/api';
import { KindIndex } from '@/server/kube/kinds';
import { readSources } from '@/server/parameters/read-sources';
import { decideWithPreconditions } from './decide-with-preconditions';

/**
 * What an edit would do, with the preconditions of the plan that it starts: live objects are read with the rights of the person.
 * What cannot be found out with these is left to the controller. A lock is judged by the time of the edit, else by that of this machine.
 */
export async function previewChange(
  api: Api,
  instance: Instance,
  operatorVersion: OperatorVersion | undefined,
  asked: InstanceEdit,
): Promise<ChangePreview> {
  const edit = { nowMs: systemClock.now(), ...asked };
  const texts = [operatorVersion, edit.operatorVersion].map(
    (version) => version?.metadata.annotations?.[PLAN_METADATA_ANNOTATION],
  );
  const marks = ['"preconditions"', '"approval"'];
  if (!texts.some((text) => marks.some((mark) => text?.includes(mark) === true))) {
    return planForChange(instance, operatorVersion, edit);
  }
  const reads = await readSources(api, [instance]).catch(() => NO_READS);
  const reader = { api, kinds: new KindIndex(api), unknown: 'passes' } as const;
  return decideWithPreconditions(reader, reads, (judge) => planForChange(instance, operatorVersion, edit, judge));
}
