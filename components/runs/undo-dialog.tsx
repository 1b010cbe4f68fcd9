'use client';

import { useState } from 'react';
import { ApprovalPanel } from '@/components/access/approval-panel';
import { lockWish } from '@/components/access/instance-lock';
import { ReasonField } from '@/components/parameters/reason-field';
import { PlanEffects } from '@/components/plans/plan-effects';
import { Button } from '@/components/ui/button';
import { CopyAsMenu } from '@/components/ui/copy-as-menu';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { TypedName } from '@/components/ui/typed-name';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import { undoCommands } from '@/lib/kudo/commands/undo-commands';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { UndoPreview } from '@/lib/kudo/view/undo-preview';
import { type UndoWish, useUndoPreview } from './use-undo';

interface UndoDialogProps {
  row: RunRow;
  instance: InstanceRow;
  open: boolean;
  onClose: () => void;
  onUndo: (wish: UndoWish) => void;
}

/** Shows what undoing a run does before it starts. A destructive plan needs the name of the Instance typed. */
export function UndoDialog(props: UndoDialogProps) {
  const { row, open, onClose } = props;
  return (
    <Dialog wide open={open} onClose={onClose} title={`Undo run ${row.name}?`}>
      <UndoBody {...props} />
    </Dialog>
  );
}

function UndoBody({ row, instance, onClose, onUndo }: UndoDialogProps) {
  const [reason, setReason] = useState('');
  const { query, start, second } = useUndoPreview(row, instance);
  const { data: preview, error, isPending } = query;
  const confirmation = preview?.confirmation;
  const guard = useDestroyGuard(row.instance, confirmation !== undefined);
  const block =
    error?.message ??
    (preview?.outcome === 'refused' ? preview.message : undefined) ??
    (isPending ? 'The preview is not available yet.' : undefined) ??
    guard.block;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const confirm = confirmation === undefined ? {} : { confirm: confirmation };
        if (block === undefined) onUndo({ reason, preview: preview?.token ?? '', ...second.wish, ...confirm });
      }}
    >
      <p>
        Parameters and version go back to those from before this run, and the plan that they trigger runs. What the run
        did besides is not taken back.
      </p>
      {preview !== undefined && error === null && <Edit preview={preview} />}
      <PlanEffects preview={preview} error={error} />
      {second.isNeeded && <ApprovalPanel row={instance} start={{ ...start, reason }} />}
      <ReasonField value={reason} onChange={setReason} />
      {confirmation !== undefined && <TypedName name={row.instance} guard={guard} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {preview !== undefined && (
          <span className="me-auto">
            <CopyAsMenu
              what={`the undo of run ${row.name}`}
              commands={undoCommands({
                run: row.run,
                preview,
                wishes: { reason, ...second.wish, ...lockWish(instance.instance) },
                confirm: guard.block === undefined ? confirmation : undefined,
              })}
            />
          </span>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant={confirmation === undefined ? 'primary' : 'destroy'}
          data-plan={preview?.plan ?? ''}
          disabledReason={block}
        >
          Undo run
        </Button>
      </div>
    </form>
  );
}

/** The values and the version that change, and what changed the same since. */
function Edit({ preview: { changes, version, notes, plan = '' } }: { preview: UndoPreview }) {
  return (
    <section aria-label="What is set back" className="grid gap-2">
      <h3 className="font-semibold">
        Plan <code>{plan}</code> runs with
      </h3>
      <dl className="grid gap-1">
        {version !== undefined && (
          <Line name="Version">
            <code>{version.from}</code> → <code>{version.to}</code>
          </Line>
        )}
        {changes.map(({ name, before, after }) => (
          <Line key={name} name={name}>
            <Value value={before} /> → <Value value={after} />
          </Line>
        ))}
      </dl>
      {notes.map((note) => (
        <Notice key={note} tone="wait" title={note} />
      ))}
    </section>
  );
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-2" data-parameter={name}>
      <dt className="font-medium">{name}</dt>
      <dd className="min-w-0 break-all">{children}</dd>
    </div>
  );
}

function Value({ value }: { value: string | undefined }) {
  return value === undefined ? <span className="text-ink-3">default</span> : <code>{JSON.stringify(value)}</code>;
}
