import { draftProblems, fixText, type ParameterDraft } from '@/components/parameters/parameter-draft';
import { ParameterField } from '@/components/parameters/parameter-field';
import { planMetadataOf } from '@/lib/kudo/plan-metadata/plan-metadata';
import { type FormField, type FormGroup, formModel } from '@/lib/kudo/view/form-model';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import type { ChangeSchedule, ScheduleDraft } from '@/lib/kudo/view/schedule-draft';

interface ScheduleParametersProps {
  target: InstanceRow;
  draft: ScheduleDraft;
  onChange: ChangeSchedule;
}

/**
 * The parameters that the plan asks for. A value that is entered is written with each start; secret ones are left out, because
 * everybody who may read the schedule would read them.
 */
export function ScheduleParameters({ target, draft, onChange }: ScheduleParametersProps) {
  const fields = askedFields(target, draft.plan);
  const shown = fields.filter(({ isSecret }) => !isSecret);
  if (fields.length === 0) return null;
  const groups = groupOf(draft.plan, shown);
  const parameters: ParameterDraft = draft.parameters;
  const change = (name: string, value: string | null | undefined) => {
    const { [name]: _, ...rest } = draft.parameters;
    onChange({ parameters: value === undefined || value === null ? rest : { ...rest, [name]: value } });
  };
  return (
    <section className="rounded-md border" aria-label="Parameters of each start">
      <p className="px-4 py-2 text-ink-2">A value that you change is written with each start, and stays.</p>
      <div className="divide-y divide-line border-t">
        {shown.map((field) => (
          <ParameterField
            key={field.name}
            field={field}
            showPlan={false}
            groups={groups}
            draft={parameters}
            problems={draftProblems(groups, parameters)}
            onChange={change}
          />
        ))}
      </div>
      {shown.length < fields.length && (
        <p className="border-t px-4 py-2 text-ink-2 text-xs">
          Secret parameters cannot be in a schedule. Each start uses the values of the instance.
        </p>
      )}
    </section>
  );
}

/** Why the entered values cannot be saved, in a sentence. */
export function parametersProblem(target: InstanceRow | undefined, draft: ScheduleDraft): string | undefined {
  if (target === undefined) return undefined;
  const entered = askedFields(target, draft.plan).filter(({ name }) => name in draft.parameters);
  return fixText(draftProblems(groupOf(draft.plan, entered), draft.parameters), entered);
}

function askedFields({ operatorVersionObject, instance }: InstanceRow, plan: string): FormField[] {
  const { parameters: asked = [] } = planMetadataOf(operatorVersionObject, plan);
  if (operatorVersionObject === undefined || asked.length === 0) return [];
  const all = formModel(operatorVersionObject, instance).flatMap(({ fields }) => fields);
  return asked.flatMap((name) => all.find((field) => field.name === name) ?? []);
}

function groupOf(plan: string, fields: readonly FormField[]): FormGroup[] {
  return [{ name: plan, label: plan, fields }];
}
