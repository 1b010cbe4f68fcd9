'use client';

import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { TypedName } from '@/components/ui/typed-name';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import { useTimeZone } from '@/components/ui/use-time-zone';
import { nameOf } from '@/lib/kube/object';
import { toSchedule } from '@/lib/kudo/view/action-rights';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { needsConfirmation } from '@/lib/kudo/view/plan-availability';
import {
  type ChangeSchedule,
  type ScheduleDraft,
  scheduleDraft,
  scheduleProblems,
} from '@/lib/kudo/view/schedule-draft';
import { PolicyFields } from './policy-fields';
import type { ScheduleDialogProps } from './schedule-dialog';
import { parametersProblem, ScheduleParameters } from './schedule-parameters';

import { TimeFields } from './time-fields';
import { useSaveSchedule } from './use-save-schedule';
import { useScheduleTarget } from './use-schedule-target';
import { WhatFields } from './what-fields';

const FIRST_EXPRESSION = '30 2 * * *';

/** The content of the dialog; its state lasts as long as the dialog is open. */
export function ScheduleForm({ namespace: place, instance, existing, onClose }: ScheduleDialogProps) {
  const [namespace, setNamespace] = useState(place);
  const [draft, change] = useDraft(instance, existing);
  const target = useScheduleTarget(namespace, draft.instance);
  const save = useSaveSchedule(namespace, existing);
  const problems = scheduleProblems(draft);
  const isDestructive = target !== undefined && draft.plan !== '' && needsConfirmation(target, draft.plan);
  const asksName = isDestructive && !draft.isConfirmed;
  const guard = useDestroyGuard(draft.instance, asksName);
  const access = useAccess(toSchedule(existing === undefined ? 'create' : 'patch', namespace));
  const [problem] = Object.values(problems);
  const block = problem ?? parametersProblem(target, draft) ?? access.block ?? guard.block;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (block !== undefined || save.isPending) return;
        save.mutate({ ...draft, isConfirmed: isDestructive }, { onSuccess: onClose });
      }}
    >
      <WhatFields
        draft={draft}
        namespace={namespace}
        target={target}
        isPlaceFixed={place !== ''}
        isNew={existing === undefined}
        problems={problems}
        onChange={change}
        onPlace={setNamespace}
      />
      <TimeFields draft={draft} problem={problems.times} onChange={change} />
      {target !== undefined && <ScheduleParameters target={target} draft={draft} onChange={change} />}
      <PolicyFields draft={draft} problem={problems.deadline} onChange={change} />
      {isDestructive && <DestructiveWords target={target} plan={draft.plan} />}
      {asksName && <TypedName name={draft.instance} guard={guard} />}
      {save.isError && (
        <Notice tone="fail" alert title={`The schedule was not ${existing === undefined ? 'created' : 'changed'}`}>
          {save.error.message}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant={asksName ? 'destroy' : 'primary'} disabledReason={block} busy={save.isPending}>
          {existing === undefined ? 'Create schedule' : 'Save schedule'}
        </Button>
      </div>
    </form>
  );
}

function useDraft(instance: string, existing: ScheduleDialogProps['existing']): [ScheduleDraft, ChangeSchedule] {
  const timeZone = useTimeZone();
  const [draft, setDraft] = useState(() =>
    existing === undefined
      ? scheduleDraft('', { instanceName: instance, schedule: FIRST_EXPRESSION, timeZone })
      : scheduleDraft(nameOf(existing), existing.spec ?? {}),
  );
  return [draft, (changes) => setDraft((before) => ({ ...before, ...changes }))];
}

function DestructiveWords({ target, plan }: { target: InstanceRow; plan: string }) {
  return (
    <Notice tone="fail" title={`Plan ${plan} deletes or replaces data of ${target.name}`}>
      This schedule confirms each of its starts. Nobody is asked again.
    </Notice>
  );
}
