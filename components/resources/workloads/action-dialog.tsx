'use client';

import { type FormEvent, useState } from 'react';
import { browserClock } from '@/components/live/clock';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { formatTime } from '@/lib/clock/clock';
import { getAt, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { applyMergePatch } from '@/lib/kube/patch/merge-patch';
import {
  type ActionChoice,
  offeredJobName,
  type WorkloadAction,
  type WorkloadActionId,
  type WorkloadWrite,
  workloadWrite,
} from '@/lib/kube/workloads/actions';
import { kubectlWords } from '@/lib/kube/workloads/kubectl-words';
import { randomSuffix } from '@/lib/kube/workloads/new-jobs';
import { shellLine } from '@/lib/kudo/commands/shell-quote';
import { limits } from '@/lib/limits/limits';
import { systemRandom } from '@/lib/random/random';
import type { ObjectAddress } from '../object-draft';
import { ReversalList } from '../ownership/reversal-list';
import { TakeElsewhere } from '../ownership/take-elsewhere';
import { useReversals } from '../ownership/use-reversals';
import { useSendWrite } from './use-send-write';

interface ActionDialogProps {
  readonly id: Exclude<WorkloadActionId, 'drain'>;
  readonly action: WorkloadAction;
  readonly address: ObjectAddress;
  readonly object: KubeObject;
  /** The number of replicas that was asked for, as text; undefined for the present one. */
  readonly argument?: string | undefined;
  readonly onClose: () => void;
}

/** Asks before an action of a workload: what it does, what manages the object, and how to do it elsewhere. */
export function ActionDialog({ id, action, address, object, argument, onClose }: ActionDialogProps) {
  const [choice, change] = useChoice(action, object, argument);
  const replicas = id === 'scale' ? choice.replicas : undefined;
  const { reversals, owners, stored } = useReversals({ object, address, fields: action.fields, replicas });
  const title = titleOf(id, action, object, choice);
  const send = useSendWrite(title, onClose);
  const write = workloadWrite(id, object, address.type, choice);
  const words = kubectlWords(id, object, address.type, choice);
  const problem = problemOf(id, choice);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === undefined) send.run(write);
  };
  return (
    <Dialog open onClose={onClose} title={`${title}?`}>
      <form className="grid gap-4" onSubmit={submit}>
        <p>{action.effect}</p>
        {id === 'scale' && (
          <ReplicasField now={wanted(action, object)} choice={choice} onChange={change} problem={problem} />
        )}
        {action.fields.length === 0 && <JobNameField choice={choice} onChange={change} problem={problem} />}
        {action.fields.length > 0 && <ReversalList reversals={reversals} what={`this ${object.kind}`} />}
        {send.error !== undefined && (
          <Notice tone="fail" alert title="The action failed">
            {send.error}
          </Notice>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <span className="me-auto flex items-center gap-2">
            {write.method === 'PATCH' ? (
              <TakeElsewhere
                change={{ type: address.type, before: stored, after: changed(stored, write, action, choice), title }}
                owner={owners[0]}
                kubectl={words === undefined ? undefined : shellLine(words)}
              />
            ) : (
              words !== undefined && <CopyButton text={shellLine(words)} label="Copy the kubectl command" />
            )}
          </span>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={send.isBusy} disabledReason={problem}>
            {action.label}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The object as it would be; the `scale` of a custom resource has another path than the object. */
function changed(stored: KubeObject, write: WorkloadWrite, action: WorkloadAction, choice: ActionChoice): KubeObject {
  const body = action.id === 'scale' ? nested(action.fields[0] ?? [], choice.replicas) : write.body;
  return applyMergePatch(stored as JsonObject, body) as KubeObject;
}

function nested(path: readonly (string | number)[], value: number): JsonObject {
  const [last, ...rest] = [...path].reverse();
  return rest.reduce<JsonObject>((inner, key) => ({ [key]: inner }), { [last ?? 'spec']: value });
}

function wanted(action: WorkloadAction, object: KubeObject): number {
  const now = getAt(object, ...(action.fields[0] ?? []));
  return typeof now === 'number' ? now : 1;
}

type ChangeChoice = (next: Partial<ActionChoice>) => void;

function useChoice(
  action: WorkloadAction,
  object: KubeObject,
  argument: string | undefined,
): readonly [ActionChoice, ChangeChoice] {
  const [choice, setChoice] = useState<ActionChoice>(() => ({
    replicas: argument === undefined ? wanted(action, object) : Number(argument),
    jobName: offeredJobName(object, randomSuffix(systemRandom)),
    now: formatTime(browserClock.now()),
  }));
  return [choice, (next) => setChoice((before) => ({ ...before, ...next }))];
}

function titleOf(id: WorkloadActionId, action: WorkloadAction, object: KubeObject, choice: ActionChoice): string {
  const name = `${object.kind} ${object.metadata.name ?? ''}`;
  return id === 'scale' ? `Scale ${name} to ${choice.replicas}` : `${action.label}: ${name}`;
}

const JOB_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

function problemOf(id: WorkloadActionId, { replicas, jobName }: ActionChoice): string | undefined {
  if (id === 'scale') {
    const isNumber = Number.isInteger(replicas) && replicas >= 0 && replicas <= limits.replicas;
    return isNumber ? undefined : `Enter a whole number from 0 to ${limits.replicas}.`;
  }
  if (id !== 'trigger' && id !== 'rerun') return undefined;
  return JOB_NAME.test(jobName)
    ? undefined
    : 'Enter a name of at most 63 lower-case letters, digits and dashes, which begins and ends with a letter or digit.';
}

interface FieldProps {
  readonly choice: ActionChoice;
  readonly onChange: ChangeChoice;
  readonly problem: string | undefined;
}

function ReplicasField({ now, choice, onChange, problem }: FieldProps & { now: number }) {
  return (
    <Field label="Replicas" hint={`Now: ${now}`} error={problem} required>
      {(wiring) => (
        <Input
          {...wiring}
          data-first-focus
          type="number"
          min={0}
          max={limits.replicas}
          value={Number.isNaN(choice.replicas) ? '' : choice.replicas}
          onChange={(event) => onChange({ replicas: event.target.valueAsNumber })}
        />
      )}
    </Field>
  );
}

function JobNameField({ choice, onChange, problem }: FieldProps) {
  return (
    <Field label="Name of the new Job" error={problem} required>
      {(wiring) => (
        <Input
          {...wiring}
          mono
          data-first-focus
          autoComplete="off"
          spellCheck={false}
          value={choice.jobName}
          onChange={(event) => onChange({ jobName: event.target.value })}
        />
      )}
    </Field>
  );
}
