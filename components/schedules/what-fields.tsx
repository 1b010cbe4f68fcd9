import { useInstanceRows } from '@/components/instances/use-instance-rows';
import { Field, type FieldWiring } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { CLEANUP_PLAN, planNames } from '@/lib/kudo/names';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { ownPlans, withoutVersion } from '@/lib/kudo/view/plan-availability';
import { type ChangeSchedule, type DraftProblems, freeName, type ScheduleDraft } from '@/lib/kudo/view/schedule-draft';
import { useScheduleRows } from './use-schedule-rows';

interface WhatFieldsProps {
  draft: ScheduleDraft;
  namespace: string;
  /** The chosen Instance. */
  target: InstanceRow | undefined;
  /** True when the Instance is given. */
  isPlaceFixed: boolean;
  isNew: boolean;
  problems: DraftProblems;
  onChange: ChangeSchedule;
  onPlace: (namespace: string) => void;
}

/** Instance, plan and name. Of a schedule that exists all three stay. */
export function WhatFields(props: WhatFieldsProps) {
  const { draft, namespace, isNew, problems, onChange } = props;
  if (!isNew) {
    return (
      <p>
        Starts plan <code>{draft.plan}</code> of instance <b className="font-semibold">{draft.instance}</b> in{' '}
        {namespace}.
      </p>
    );
  }
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <InstanceField {...props} />
      <PlanField {...props} />
      <Field label="Name" required error={draft.name === '' ? undefined : problems.name}>
        {(wiring) => (
          <Input
            {...wiring}
            mono
            autoComplete="off"
            spellCheck={false}
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

/** A plan, its parameters and its confirmation belong to one Instance. */
const ANOTHER_PLAN = { parameters: {}, isConfirmed: false };

function InstanceField({ draft, namespace, isPlaceFixed, onChange, onPlace }: WhatFieldsProps) {
  const { rows } = useInstanceRows();
  const key = draft.instance === '' ? '' : `${namespace}/${draft.instance}`;
  const choose = (chosen: string) => {
    const row = rows.find((each) => each.key === chosen);
    onPlace(row?.namespace ?? '');
    onChange({ instance: row?.name ?? '', plan: '', name: '', ...ANOTHER_PLAN });
  };
  const draw = (wiring: FieldWiring) =>
    isPlaceFixed ? (
      <Input {...wiring} readOnly value={draft.instance} />
    ) : (
      <Select {...wiring} data-first-focus="" value={key} onChange={(event) => choose(event.target.value)}>
        <option value="">Choose…</option>
        {[...rows]
          .sort((a, b) => a.key.localeCompare(b.key))
          .map((row) => (
            <option key={row.key} value={row.key}>
              {row.namespace} / {row.name}
            </option>
          ))}
      </Select>
    );
  return (
    <Field label="Instance" required>
      {draw}
    </Field>
  );
}

function PlanField({ draft, namespace, target, onChange }: WhatFieldsProps) {
  const { rows } = useScheduleRows();
  const plans = target === undefined ? [] : plansToSchedule(target);
  const taken = new Set(rows.filter((row) => row.namespace === namespace).map(({ name }) => name));
  const isUnknown = target !== undefined && target.operatorVersionObject === undefined;
  const choose = (plan: string) =>
    onChange({ plan, name: plan === '' ? '' : freeName(draft.instance, plan, taken), ...ANOTHER_PLAN });
  return (
    <Field label="Plan" required hint={isUnknown ? withoutVersion(target) : undefined}>
      {(wiring) => (
        <Select {...wiring} value={draft.plan} onChange={(event) => choose(event.target.value)}>
          <option value="">Choose…</option>
          {plans.map((plan) => (
            <option key={plan} value={plan}>
              {plan}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** The operator's own plans first, then those that the controller starts by itself; not the one of a deletion. */
function plansToSchedule(target: InstanceRow): string[] {
  const own = ownPlans(target);
  const others = planNames(target.operatorVersionObject).filter((plan) => plan !== CLEANUP_PLAN && !own.includes(plan));
  return [...own, ...others];
}
