'use client';

import { useState } from 'react';
import { Card } from '@/components/ui/card';
import type { FormGroup } from '@/lib/kudo/view/form-model';
import { isChanged } from './parameter-draft';
import { ParameterField } from './parameter-field';
import type { ParameterFormProps } from './parameter-form-props';

/** One section of the form. Advanced fields are hidden unless they are changed or not valid. */
export function ParameterSection({ group, ...form }: { group: FormGroup } & ParameterFormProps) {
  const [showAdvanced, setShowAdvanced] = useState(false);
  const plans = [...new Set(group.fields.map((field) => field.plan).filter((plan) => plan !== undefined))];
  const isShown = (field: FormGroup['fields'][number]) =>
    showAdvanced || !field.isAdvanced || isChanged(field, form.draft) || form.problems.has(field.name);
  const hidden = group.fields.filter((field) => !isShown(field)).length;
  return (
    <Card
      title={group.label}
      note={
        form.isNew !== true && plans.length === 1 ? (
          <>
            starts plan <code>{plans[0]}</code>
          </>
        ) : (
          group.description
        )
      }
    >
      <div className="divide-y divide-line">
        {group.fields.filter(isShown).map((field) => (
          <ParameterField key={field.name} field={field} showPlan={plans.length > 1} {...form} />
        ))}
        {(hidden > 0 || showAdvanced) && (
          <button
            type="button"
            aria-expanded={showAdvanced}
            onClick={() => setShowAdvanced(!showAdvanced)}
            className="w-full px-4 py-2 text-start text-ink-2 hover:text-ink focus-visible:-outline-offset-2"
          >
            {showAdvanced ? 'Hide advanced' : `Show ${hidden} advanced`}
          </button>
        )}
      </div>
    </Card>
  );
}
