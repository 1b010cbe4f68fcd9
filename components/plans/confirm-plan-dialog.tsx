'use client';

import { useState } from 'react';
import { ApprovalPanel } from '@/components/access/approval-panel';
import { useSecondPerson } from '@/components/access/use-approvals';
import { draftChanges, draftProblems, fixText, type ParameterDraft } from '@/components/parameters/parameter-draft';
import { ParameterField } from '@/components/parameters/parameter-field';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { TypedName } from '@/components/ui/typed-name';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import { planTitle } from '@/lib/kudo/names';
import { confirmationText, isDestructive } from '@/lib/kudo/plan-metadata/confirmation';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import type { RunWishes } from '@/lib/kudo/runs/run-request';
import { type FormGroup, formModel } from '@/lib/kudo/view/form-model';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { needsConfirmation, planBlock, planTitleOf } from '@/lib/kudo/view/plan-availability';
import { ChangeParameter, changeableFields } from './change-parameter';
import { CopyStart } from './copy-start';
import { PlanEffects } from './plan-effects';
import { usePlanPreview } from './use-plan-preview';
import type { PlanToStart } from './use-run-plan';
import { WishFields } from './wish-fields';

interface ConfirmPlanDialogProps {
  plan: string;
  row: InstanceRow;
  /** Values that the dialog begins with. */
  preset?: ParameterDraft;
  /** The PlanRun that the start repeats. */
  retryOf?: string;
  open: boolean;
  onClose: () => void;
  onConfirm: (start: PlanToStart) => void;
}

/** Asks for the parameters of a plan, and shows what it does before it starts. A destructive plan needs the name of the Instance typed. */
export function ConfirmPlanDialog(props: ConfirmPlanDialogProps) {
  const { plan, row, retryOf, open, onClose } = props;
  // A parameter has its description beside its control.
  const isWide = askedGroups(row, plan).length > 0 || retryOf !== undefined;
  return (
    <Dialog open={open} onClose={onClose} title={dialogTitle(row, plan)} wide={isWide}>
      <ConfirmBody {...props} />
    </Dialog>
  );
}

/** “Restore pg?”, or “Load a backup: pg” with the name that the package gives the plan. */
function dialogTitle(row: InstanceRow, plan: string): string {
  const title = planTitleOf(row, plan);
  return title === planTitle(plan) ? `${title} ${row.name}?` : `${title}: ${row.name}`;
}

function ConfirmBody({ plan, row, preset = {}, retryOf, onClose, onConfirm }: ConfirmPlanDialogProps) {
  const [draft, setDraft] = useState(preset);
  const [said, setWishes] = useState<RunWishes>({});
  const { groups, left, choose } = useFields(row, plan, retryOf);
  const problems = draftProblems(groups, draft);
  const parameters = Object.fromEntries(draftChanges(groups, draft).map(({ field, to }) => [field.name, to ?? null]));
  const second = useSecondPerson(row, { plan, parameters });
  const wishes = { ...said, ...second.wish };
  const retry = retryOf === undefined ? {} : { retryOf };
  const { data: preview, error, isPending } = usePlanPreview(row, { plan, parameters, ...wishes, ...retry });
  const overwrites = needsConfirmation(row, plan);
  const guard = useDestroyGuard(row.name, overwrites);
  const fields = groups.flatMap((group) => group.fields);
  const block =
    planBlock(row, plan, false) ??
    fixText(problems, fields) ??
    (preview?.outcome === 'refused' ? preview.message : undefined) ??
    (isPending ? 'The preview is not available yet.' : undefined) ??
    guard.block;
  const confirm = isDestructive(row.operatorVersionObject, plan) ? { confirm: confirmationText(plan, row.name) } : {};
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (block === undefined) onConfirm({ plan, parameters, ...confirm, ...wishes, preview: preview?.token ?? '' });
      }}
    >
      <PlanWords row={row} plan={plan} overwrites={overwrites} />
      {fields.length > 0 && (
        <div className="divide-y divide-line rounded-md border">
          {fields.map((field) => (
            <ParameterField
              key={field.name}
              field={field}
              showPlan={false}
              groups={groups}
              draft={draft}
              problems={problems}
              onChange={(name, value) => setDraft((before) => withValue(before, name, value))}
            />
          ))}
        </div>
      )}
      <ChangeParameter fields={left} onChoose={choose} />
      <PlanEffects preview={preview} error={error} />
      {second.isNeeded && <ApprovalPanel row={row} start={{ plan, parameters, ...wishes }} />}
      <WishFields phases={phasesOf(row, plan)} wishes={said} onChange={setWishes} />
      {overwrites && <TypedName name={row.name} guard={guard} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="me-auto">
          <CopyStart
            row={row}
            start={{ plan, parameters, ...(guard.block === undefined ? confirm : {}), ...wishes, ...retry }}
          />
        </span>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant={overwrites ? 'destroy' : 'primary'} data-plan={plan} disabledReason={block}>
          Run {plan}
        </Button>
      </div>
    </form>
  );
}

/** What the plan does in the words of its package, and its steps. */
function PlanWords({ row, plan, overwrites }: { row: InstanceRow; plan: string; overwrites: boolean }) {
  const { description, confirm } = planMetadataOf(row.operatorVersionObject, plan);
  const phases = phasesOf(row, plan);
  return (
    <div className="grid gap-2">
      {description !== undefined && <p>{description}</p>}
      {overwrites ? (
        <p className="text-fail">
          {confirm ?? (
            <>
              Plan <code>{plan}</code> deletes or replaces data of <b className="font-semibold">{row.name}</b>. This
              cannot be undone. Back up first if you are not sure.
            </>
          )}
        </p>
      ) : (
        <p>
          {confirm !== undefined && <span className="block text-wait">{confirm}</span>}
          Plan <code>{plan}</code> runs on <b className="font-semibold">{row.name}</b> in {row.namespace}:
        </p>
      )}
      <ol className="grid list-decimal gap-1 ps-5 text-ink-2">
        {phases.map((phase) => (
          <li key={phase.name}>
            {phase.name}: {(phase.steps ?? []).map((step) => step.name).join(', ')}
          </li>
        ))}
      </ol>
    </div>
  );
}

function phasesOf(row: InstanceRow, plan: string) {
  return row.operatorVersionObject?.spec?.plans?.[plan]?.phases ?? [];
}

/** The parameters of the dialog: those that the plan asks for; at a retry also others that the person chooses. */
function useFields(row: InstanceRow, plan: string, retryOf: string | undefined) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const asked = askedGroups(row, plan);
  const shown = new Set([...asked.flatMap((group) => group.fields.map(({ name }) => name)), ...chosen]);
  const all = retryOf === undefined ? [] : changeableFields(row, plan);
  const fields = all.filter(({ name }) => chosen.includes(name));
  return {
    groups: fields.length === 0 ? asked : [...asked, { name: 'changed', label: 'Changed parameters', fields }],
    /** That can still be chosen. */
    left: all.filter(({ name }) => !shown.has(name)),
    choose: (name: string) => setChosen([...chosen, name]),
  };
}

/** The parameters that the plan asks for, in its order, as groups of a form. */
function askedGroups({ operatorVersionObject, instance }: InstanceRow, plan: string): FormGroup[] {
  const { parameters: asked = [] } = planMetadataOf(operatorVersionObject, plan);
  if (operatorVersionObject === undefined || asked.length === 0) return [];
  const all = formModel(operatorVersionObject, instance).flatMap((group) => group.fields);
  const fields = asked.flatMap((name) => all.find((field) => field.name === name) ?? []);
  return [{ name: plan, label: plan, fields }];
}

function withValue(draft: ParameterDraft, name: string, value: string | null | undefined): ParameterDraft {
  const { [name]: _, ...rest } = draft;
  return value === undefined ? rest : { ...rest, [name]: value };
}
