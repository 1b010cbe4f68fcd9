'use client';

import { BottomBar } from '@/components/ui/bottom-bar';
import { Button } from '@/components/ui/button';
import { StatusIcon } from '@/components/ui/status-icon';
import type { ChangePreview } from '@/lib/kudo/admission/triggers';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { fixText } from './parameter-draft';
import type { ApplyEdit } from './use-apply-edit';
import { useGuardedApply } from './use-guarded-apply';
import type { ParameterEditing } from './use-parameter-draft';

/** Says what the change does before it is applied, and leads to Review and Apply. Stays at the bottom of the window. */
export function ConsequenceBar({
  editing,
  problems,
  row,
  apply,
  blocked,
  onReview,
}: {
  editing: ParameterEditing;
  problems: ReadonlyMap<string, string>;
  row: InstanceRow;
  apply: ApplyEdit;
  blocked: string | undefined;
  onReview: () => void;
}) {
  const { changes, preview, conflicts } = editing;
  const guarded = useGuardedApply(row, apply, onReview);
  const unchanged = changes.length === 0 ? 'No parameter is changed.' : undefined;
  const fields = editing.groups.flatMap((group) => group.fields);
  const reason = blocked ?? unchanged ?? applyBlock(preview, fixText(problems, fields));
  return (
    <BottomBar label="What applying does">
      <div className="min-w-0 flex-1 basis-64" role="status">
        <Headline count={changes.length} preview={preview} wrong={problems.size} />
        <Detail editing={editing} row={row} refusal={apply.refusal} hasProblems={problems.size > 0} />
        {conflicts.size > 0 && (
          <p className="text-wait">Somebody else changed {[...conflicts.keys()].join(', ')} since you started.</p>
        )}
      </div>
      {problems.size > 0 && <ProblemLinks problems={problems} editing={editing} />}
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" disabledReason={unchanged} onClick={editing.discard}>
          Discard
        </Button>
        <Button disabledReason={unchanged} onClick={onReview}>
          Review
        </Button>
        <Button
          variant="primary"
          data-plan={preview?.plan}
          disabledReason={reason}
          busy={guarded.isPending}
          onClick={() => guarded.run(editing.edit)}
        >
          Apply
        </Button>
      </div>
    </BottomBar>
  );
}

/** Why an edit cannot be applied; undefined when it can. `fix` is the {@link fixText} of its problems. */
export function applyBlock(preview: ChangePreview | undefined, fix: string | undefined): string | undefined {
  return fix ?? (preview?.outcome === 'refused' ? preview.message : undefined);
}

function Headline({ count, preview, wrong }: { count: number; preview: ChangePreview | undefined; wrong: number }) {
  if (preview === undefined) return <p className="text-ink-2">No changes. No plan runs.</p>;
  const changes = `${count} ${count === 1 ? 'change' : 'changes'}`;
  return (
    <p className="flex items-center gap-2 font-semibold">
      <span className={preview.outcome === 'refused' ? 'text-wait' : 'text-run'}>
        <StatusIcon shape={preview.outcome === 'refused' ? 'retry' : 'chevrons'} />
      </span>
      <span>
        {changes} →{' '}
        {preview.outcome === 'runs' ? (
          <>
            plan <code>{preview.plan}</code>
            {preview.next !== undefined && `, then ${preview.next.join(', ')}`}
          </>
        ) : preview.outcome === 'queues' ? (
          <>{[preview.plan, ...(preview.next ?? [])].join(', ')} in the queue</>
        ) : preview.outcome === 'stores' ? (
          'stored, no plan runs'
        ) : wrong > 0 ? (
          'not valid yet'
        ) : (
          'not possible'
        )}
      </span>
    </p>
  );
}

function Detail({
  editing,
  row,
  refusal,
  hasProblems,
}: {
  editing: ParameterEditing;
  row: InstanceRow;
  refusal: string | undefined;
  hasProblems: boolean;
}) {
  const { preview } = editing;
  if (refusal !== undefined) {
    return (
      <p role="alert" className="text-fail">
        The change was not applied: {refusal}
      </p>
    );
  }
  // The fields to fix are named beside the buttons.
  if (preview === undefined || hasProblems) return null;
  if (preview.outcome === 'refused') return <p className="text-ink-2">{preview.message}</p>;
  const restarts = preview.outcome === 'runs' && preview.plan !== undefined && row.active?.name === preview.plan;
  const names = editing.changes.map(({ field }) => field.label).join(', ');
  return (
    <p className="text-ink-2">
      {restarts ? `Plan ${preview.plan} is running and starts again. ` : ''}
      {preview.warnings[0] ?? names}
    </p>
  );
}

function ProblemLinks({ problems, editing }: { problems: ReadonlyMap<string, string>; editing: ParameterEditing }) {
  const fields = editing.groups.flatMap((group) => group.fields);
  const [first] = problems.keys();
  const focus = () => {
    const place = document.querySelector(`[data-parameter="${CSS.escape(first ?? '')}"]`);
    place?.scrollIntoView({ block: 'center' });
    place?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  };
  const label = fields.find((field) => field.name === first)?.label ?? first;
  return (
    <button type="button" onClick={focus} className="text-start text-fail underline-offset-3 hover:underline">
      {problems.size} {problems.size === 1 ? 'field' : 'fields'} to fix: {label}
      {problems.size > 1 && ' …'}
    </button>
  );
}
