'use client';

import { browserClock } from '@/components/live/clock';
import { request } from '@/components/live/request';
import { Dialog } from '@/components/ui/dialog';
import { formatTime } from '@/lib/clock/clock';
import { CONSOLE_MANAGER } from '@/lib/kube/ownership/revert';
import { workloadActions, workloadWrite } from '@/lib/kube/workloads/actions';
import { objectPath, readStoredObject } from '../object-address';
import { BulkForm, TargetList } from './bulk-form';
import { BulkOwnersNotice } from './bulk-owners';
import { type BulkAct, type BulkDialogProps, countedTargets, targetName } from './bulk-target';
import { useBulkRun } from './use-bulk-run';

/** Restarts the pods of many workloads, as `kubectl rollout restart` does. */
export function RestartManyDialog({ targets, onClose }: BulkDialogProps) {
  const progress = useBulkRun(targets);
  return (
    <Dialog open onClose={() => onClose()} title={`Restart ${countedTargets(targets)}?`}>
      <BulkForm
        targets={targets}
        progress={progress}
        label={`Restart ${countedTargets(targets)}`}
        block={undefined}
        act={restartOne}
        onClose={() => onClose()}
      >
        <p>All pods are replaced step by step, as in an update (kubectl rollout restart).</p>
        <TargetList names={targets.map(targetName)} />
        <BulkOwnersNotice targets={targets} effect="revert the restart" />
      </BulkForm>
    </Dialog>
  );
}

const restartOne: BulkAct = async (target) => {
  const object = await readStoredObject(target);
  if (object.metadata.uid !== target.uid) return 'The object was deleted; another one has its name now.';
  const action = workloadActions(object, target.type, undefined).find(({ id }) => id === 'restart');
  if (action === undefined) return `A ${target.kind} cannot be restarted.`;
  if (action.block !== undefined) return action.block;
  const choice = { replicas: 0, jobName: '', now: formatTime(browserClock.now()) };
  const { body } = workloadWrite('restart', object, target.type, choice);
  await request(`${objectPath(target)}?fieldManager=${CONSOLE_MANAGER}`, {
    method: 'PATCH',
    body: { ...body, metadata: { uid: target.uid } },
    contentType: 'application/merge-patch+json',
  });
  return undefined;
};
