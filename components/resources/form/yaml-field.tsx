'use client';

import { useState } from 'react';
import { Textarea } from '@/components/ui/input';
import { type JsonValue, jsonEqual } from '@/lib/json/json';
import { readYaml, writeYaml } from '@/lib/yaml/yaml';
import { FieldRow } from './field-row';
import { type FormFieldProps, useFormScope } from './form-context';

/** A field whose shape the schema leaves open, as YAML. A text that cannot be read yet is kept here and not written. */
export function YamlField(props: FormFieldProps) {
  const { path, value, locked } = props;
  const { edit, readOnly } = useFormScope();
  const [typed, setTyped] = useState<string>();
  const read = typed === undefined ? undefined : readYaml(typed);
  // What somebody else wrote meanwhile, the YAML view for example, comes before what was typed here.
  const isOwn = typed !== undefined && (read?.ok !== true || jsonEqual(read.value, value ?? null));
  const problem = isOwn && read?.ok === false ? read.problems[0]?.message : undefined;
  const change = (text: string) => {
    setTyped(text);
    const next = readYaml(text);
    if (next.ok) edit({ op: 'set', path, value: next.value });
  };
  return (
    <FieldRow
      {...props}
      note={
        problem === undefined ? (
          <p>Edited as YAML.</p>
        ) : (
          <p className="text-fail">This text is not written yet: {problem}</p>
        )
      }
    >
      {(wiring) => (
        <Textarea
          {...wiring}
          aria-invalid={problem === undefined ? wiring['aria-invalid'] : true}
          mono
          spellCheck={false}
          readOnly={readOnly !== undefined || locked !== undefined}
          className="max-w-[640px]"
          value={isOwn ? typed : textOf(value)}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </FieldRow>
  );
}

function textOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : writeYaml(value).trimEnd();
}
