'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { lockKey, useLockBreak } from '@/components/access/instance-lock';
import { RestartNotice } from '@/components/instance-view/restart-notice';
import { growingTitle, VolumeList, volumeTitle } from '@/components/instance-view/volume-list';
import { Button } from '@/components/ui/button';
import { CopyAsMenu } from '@/components/ui/copy-as-menu';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Tag } from '@/components/ui/tag';
import { TypedName } from '@/components/ui/typed-name';
import { type DestroyGuard, useDestroyGuard } from '@/components/ui/use-destroy-guard';
import type { ChangePreview } from '@/lib/kudo/admission/triggers';
import { startCommands } from '@/lib/kudo/commands/start-commands';
import type { ObjectChange } from '@/lib/kudo/parameters/parameter-edit';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { groupFates, type VolumeFate } from '@/lib/kudo/view/volume-fate';
import { applyBlock } from './consequence-bar';
import type { DraftChange } from './parameter-draft';
import { ReasonField } from './reason-field';
import type { ApplyEdit } from './use-apply-edit';
import { requestPreview } from './use-guarded-apply';
import type { ParameterEditing } from './use-parameter-draft';

const TextVersions = dynamic(
  () => import('@/components/resources/text-versions').then((module) => module.TextVersions),
  {
    loading: () => <SkeletonRows rows={3} />,
  },
);

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
  const block = applyBlock(preview, fix) ?? guard.block;
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
                parameters: editing.edit.parameters,
                inline: editing.isInline,
                wishes: { reason: reason.trim() },
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
                wishes: { reason: reason.trim() },
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
        {preview?.outcome === 'refused' ? (
          <Notice tone="wait" title="This change is not possible">
            {preview.message}
          </Notice>
        ) : (
          <ObjectPreview row={row} editing={editing} />
        )}
        {preview?.plan !== undefined && preview.outcome !== 'refused' && (
          <ReasonField value={reason} onChange={setReason} />
        )}
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

function ObjectPreview({ row, editing }: { row: InstanceRow; editing: ParameterEditing }) {
  const lock = [lockKey(row.instance), useLockBreak(row.instance)];
  const { data, error, isPending } = useQuery({
    queryKey: ['edit-preview', row.key, row.instance.spec?.parameters, editing.edit.parameters, lock],
    queryFn: ({ signal }) => requestPreview(row, editing.edit, signal),
    gcTime: 0,
  });
  if (isPending) return <SkeletonRows rows={4} />;
  if (error !== null) {
    return (
      <Notice tone="fail" alert title="The preview is not available">
        {error.message}
      </Notice>
    );
  }
  if (data.plan === undefined)
    return <p className="text-ink-2">No plan runs now. The next plan uses the new values.</p>;
  return (
    <section className="grid gap-3">
      <h3 className="font-semibold">
        Plan <code>{data.plan}</code> changes {data.objects.length} {data.objects.length === 1 ? 'object' : 'objects'}
        <span className="font-normal text-ink-2"> and applies {data.unchanged} as they are</span>
      </h3>
      {data.warnings.map((warning) => (
        <Notice key={warning} tone="wait" title={warning} />
      ))}
      {data.problems.map((problem) => (
        <Notice key={problem} tone="fail" title={problem} />
      ))}
      <VolumeNotices volumes={data.volumes} />
      <RestartNotice restarts={data.restarts} />
      {data.objects.map((object) => (
        <ObjectDiff key={`${object.kind}/${object.name}`} object={object} />
      ))}
    </section>
  );
}

/** Data that the plan deletes, volumes that grow, and claims of removed members that stay. */
function VolumeNotices({ volumes }: { volumes: readonly VolumeFate[] }) {
  const { going, growing, staying } = groupFates(volumes);
  return (
    <>
      {going.length > 0 && (
        <Notice tone="fail" title={volumeTitle(going.length, true)}>
          <VolumeList volumes={going} />
        </Notice>
      )}
      {growing.length > 0 && (
        <Notice tone="idle" title={growingTitle(growing.length)}>
          <VolumeList volumes={growing} />
        </Notice>
      )}
      {staying.length > 0 && (
        <Notice tone="idle" title={volumeTitle(staying.length, false)}>
          <VolumeList volumes={staying} />
        </Notice>
      )}
    </>
  );
}

const changeWords = { create: ['new', 'ok'], change: ['changed', 'run'], delete: ['deleted', 'fail'] } as const;

function ObjectDiff({ object }: { object: ObjectChange }) {
  const [word, tone] = changeWords[object.change];
  return (
    <details open={object.change === 'change'} className="rounded-md border">
      <summary className="flex flex-wrap items-center gap-2 px-3 py-2">
        <code className="font-medium">
          {object.kind} {object.name}
        </code>
        <Tag tone={tone}>{word}</Tag>
        <span className="text-ink-3 text-xs">{object.place}</span>
      </summary>
      <div className="border-t p-3">
        <TextVersions
          left={object.before}
          right={object.after}
          leftTitle={`${object.kind} ${object.name} now`}
          rightTitle={`${object.kind} ${object.name} after the change`}
        />
      </div>
    </details>
  );
}
