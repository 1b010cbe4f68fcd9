'use client';

import { useState } from 'react';
import { ApprovalPanel } from '@/components/access/approval-panel';
import { useDestroyBlock } from '@/components/access/instance-rights';
import { useSecondPerson } from '@/components/access/use-approvals';
import { ToolNotice } from '@/components/resources/ownership/tool-notice';
import { Button } from '@/components/ui/button';
import { CopyAsMenu } from '@/components/ui/copy-as-menu';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { TypedName } from '@/components/ui/typed-name';
import { type DestroyGuard, useDestroyGuard } from '@/components/ui/use-destroy-guard';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { applyMergePatch } from '@/lib/kube/patch/merge-patch';
import type { ChangePreview } from '@/lib/kudo/admission/triggers';
import { startCommands } from '@/lib/kudo/commands/start-commands';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';
import { applyBlock } from './consequence-bar';
import { EditEffects } from './edit-effects';
import type { DraftChange } from './parameter-draft';
import { ReasonField } from './reason-field';
import type { ApplyEdit } from './use-apply-edit';
import { useEditPreview } from './use-edit-preview';
import type { ParameterEditing } from './use-parameter-draft';

interface ReviewDialogProps {
  open: boolean;
  onClose: () => void;
  row: InstanceRow;
  editing: ParameterEditing;
  /** What has to be fixed first, as a sentence; undefined when nothing has. */
  fix: string | undefined;
  apply: ApplyEdit;
}

/** An edit before it is applied: parameters old → new, volumes that are deleted, and every object that changes. */
export function ReviewDialog({ open, onClose, row, editing, fix, apply }: ReviewDialogProps) {
  const { preview } = editing;
  const [reason, setReason] = useState('');
  const confirmation = preview?.confirmation;
  const guard = useDestroyGuard(row.name, open && confirmation !== undefined);
  const { parameters } = editing.edit;
  const plan = preview?.outcome === 'refused' ? undefined : preview?.plan;
  const second = useSecondPerson(row, { plan, parameters });
  const effects = useEditPreview(row, editing.edit, {
    approval: second.wish.approval,
    isAsked: open && preview !== undefined && preview.outcome !== 'refused',
  });
  const destroyBlock = useDestroyBlock(row, plan);
  const block =
    applyBlock(preview, fix) ??
    destroyBlock ??
    (effects.data?.outcome === 'refused' ? effects.data.message : undefined) ??
    (effects.isLoading ? 'The preview is not available yet.' : undefined) ??
    guard.block;
  const wishes = { reason: reason.trim(), ...second.wish };
  const close = () => {
    guard.type('');
    setReason('');
    onClose();
  };
  return (
    <Dialog
      wide
      open={open}
      onClose={close}
      title={`Review ${editing.changes.length} ${editing.changes.length === 1 ? 'change' : 'changes'} of ${row.name}`}
      footer={
        <>
          {apply.refusal !== undefined && (
            <span role="alert" className="me-auto text-fail">
              The change was not applied: {apply.refusal}
            </span>
          )}
          <span className="me-auto">
            <CopyAsMenu
              what={`the changes of ${row.name}`}
              commands={startCommands({
                instance: row.instance,
                operatorVersion: row.operatorVersionObject,
                parameters,
                inline: editing.isInline,
                wishes,
                confirm: guard.block === undefined ? confirmation : undefined,
              })}
            />
          </span>
          <Button onClick={close}>Back</Button>
          <Button
            variant={confirmation === undefined ? 'primary' : 'destroy'}
            data-plan={preview?.plan}
            disabledReason={block}
            busy={apply.isPending}
            onClick={() =>
              apply.run({
                ...editing.edit,
                ...(confirmation === undefined ? {} : { confirm: confirmation }),
                wishes: { ...wishes, preview: effects.data?.token ?? '' },
              })
            }
          >
            {applyWords(preview)}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <ParameterTable changes={editing.changes} />
        <InstanceElsewhere row={row} changes={editing.changes} />
        {preview?.outcome === 'refused' ? (
          <Notice tone="wait" title="This change is not possible">
            {preview.message}
          </Notice>
        ) : (
          <EditEffects preview={effects.data} error={effects.error} isLoading={effects.isLoading} />
        )}
        {second.isNeeded && <ApprovalPanel row={row} start={{ plan, parameters, reason: wishes.reason }} />}
        {plan !== undefined && <ReasonField value={reason} onChange={setReason} />}
        {confirmation !== undefined && preview?.plan !== undefined && (
          <DestructivePlan row={row} plan={preview.plan} guard={guard} />
        )}
      </div>
    </Dialog>
  );
}

function applyWords(preview: ChangePreview | undefined): string {
  if (preview?.plan === undefined) return 'Apply';
  return preview.outcome === 'queues' ? `Apply and queue ${preview.plan}` : `Apply and run ${preview.plan}`;
}

/** Says that the edit starts a plan that deletes or replaces data, and asks for the name of the Instance. */
function DestructivePlan({ row, plan, guard }: { row: InstanceRow; plan: string; guard: DestroyGuard }) {
  const { confirm } = planMetadataOf(row.operatorVersionObject, plan);
  return (
    <section className="grid gap-3">
      <p className="text-fail">
        {confirm ?? `Plan ${plan} deletes or replaces data of ${row.name}. This cannot be undone.`}
      </p>
      <TypedName name={row.name} guard={guard} />
    </section>
  );
}

/** Secret values do not leave the console: they are no part of the text. */
function InstanceElsewhere({ row, changes }: { row: InstanceRow; changes: readonly DraftChange[] }) {
  const { instance } = row;
  const told = changes.filter(({ field }) => !field.isSecret);
  const entries = told.map(({ field, to }) => [field.name, to ?? null] as const);
  const after = applyMergePatch(instance as unknown as JsonObject, {
    spec: { parameters: Object.fromEntries(entries) },
  }) as unknown as KubeObject;
  return (
    <ToolNotice
      object={instance}
      fields={changes.map(({ field }) => ['spec', 'parameters', field.name])}
      change={
        told.length === 0
          ? undefined
          : { type: topics.instances, before: instance, after, title: `Change parameters of Instance ${row.name}` }
      }
    />
  );
}

function ParameterTable({ changes }: { changes: readonly DraftChange[] }) {
  return (
    <table className="table rounded-md border">
      <caption className="sr-only">Changed parameters</caption>
      <thead>
        <tr>
          <th scope="col">Parameter</th>
          <th scope="col">Now</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, from, to }) => (
          <tr key={field.name}>
            <td className="font-medium">{field.label}</td>
            <td>
              <Value text={field.isSecret ? (field.isSet ? '••••••••' : '') : from} />
            </td>
            <td>
              <Value
                text={field.isSecret ? '•••••••• (new)' : (to ?? field.default ?? '')}
                isDefault={to === undefined}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ text, isDefault = false }: { text: string; isDefault?: boolean }) {
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      {text === '' ? (
        <span className="text-ink-3">empty</span>
      ) : (
        <code className="whitespace-pre-wrap">{text.trimEnd()}</code>
      )}
      {isDefault && <span className="text-ink-3 text-xs">default</span>}
    </span>
  );
}
