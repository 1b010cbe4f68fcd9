'use client';

import { useState } from 'react';
import { useTopic } from '@/components/live/use-topic';
import { Input, Select } from '@/components/ui/input';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { OPERATOR_LABEL } from '@/lib/kudo/names';
import { topics } from '@/lib/live/topic';
import type { ParameterControlProps } from './parameter-control-props';

/** An option of the list that names nothing: names hold no space. */
const OTHER = 'something else';

/** Another Instance, chosen from those of its operator, or a connection that a Secret or a ConfigMap describes. */
export function ReferenceControl({ field, value, wiring, onChange }: ParameterControlProps) {
  const choices = useChoices(field.reference?.operator, field.reference?.home);
  const [isOther, setOther] = useState(false);
  const asksText = isOther || (value !== '' && !choices.includes(value));
  return (
    <span className="grid w-full max-w-[420px] gap-1.5">
      <Select
        {...wiring}
        mono
        value={asksText ? OTHER : value}
        onChange={(event) => {
          const chosen = event.target.value;
          setOther(chosen === OTHER);
          if (chosen !== OTHER) onChange(chosen);
        }}
      >
        <option value="">{field.isRequired ? 'Choose an instance' : 'None'}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
        <option value={OTHER}>Another instance, or Secret/NAME or ConfigMap/NAME…</option>
      </Select>
      {asksText && (
        <Input
          mono
          autoComplete="off"
          spellCheck={false}
          aria-label={`${field.label}: what it names`}
          aria-describedby={wiring['aria-describedby']}
          aria-invalid={wiring['aria-invalid']}
          placeholder="NAME, NAMESPACE/NAME, Secret/NAME or ConfigMap/NAME"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </span>
  );
}

/** Instances of the operator as values of the parameter: those of the home namespace by their name, and first. */
function useChoices(operator: string | undefined, home: string | undefined): readonly string[] {
  const { objects } = useTopic(topics.instanceRows);
  const isOffered = ({ metadata }: KubeObject) =>
    operator === undefined || metadata.labels?.[OPERATOR_LABEL] === operator;
  const offered = objects.filter(isOffered).map((object) => {
    const isHere = namespaceOf(object) === home;
    return { isHere, text: isHere ? nameOf(object) : `${namespaceOf(object)}/${nameOf(object)}` };
  });
  const byPlace = offered.sort((a, b) => Number(b.isHere) - Number(a.isHere) || (a.text < b.text ? -1 : 1));
  return byPlace.map(({ text }) => text);
}
