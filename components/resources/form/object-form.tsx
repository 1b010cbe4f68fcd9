'use client';

import { useEffect, useId, useMemo, useRef } from 'react';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { isJsonObject, type JsonObject } from '@/lib/json/json';
import { type FormPath, fieldPathText, plainFieldText } from '@/lib/schema/form/field-path';
import { type FormProblem, formProblems } from '@/lib/schema/form/form-problems';
import { formRootSchema } from '@/lib/schema/form/root-schema';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { editYaml } from '@/lib/yaml/edit/edit-yaml';
import type { DocumentEdit } from '@/lib/yaml/edit/value-edit';
import { readYaml } from '@/lib/yaml/yaml';
import { AnyField } from './any-field';
import { type FormScope, FormScopeContext } from './form-context';
import { FormSummary } from './form-summary';
import { ObjectFields } from './object-fields';

export interface ObjectFormProps {
  /** The YAML of the object: the form shows it and changes it. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly schema: JsonSchema;
  /** The object in the cluster; undefined for a new one. */
  readonly old: JsonObject | undefined;
  readonly readOnly: string | undefined;
  /** What the API server refused, field by field. */
  readonly causes: readonly { readonly field: string; readonly message: string }[];
  /** Called with what is wrong after each change. */
  readonly onProblems: (problems: readonly FormProblem[]) => void;
}

/** The form of any kind, from its schema. It has no state of its own: what it shows is the text, and each change is an edit of that text. */
export default function ObjectForm(props: ObjectFormProps) {
  const { text, schema, old, readOnly, causes, onProblems } = props;
  const read = useMemo(() => readYaml(text), [text]);
  const value = read.ok && isJsonObject(read.value) ? read.value : undefined;
  const problems = useMemo(() => (value === undefined ? [] : formProblems(schema, value, old)), [schema, value, old]);
  useEffect(() => onProblems(problems), [problems, onProblems]);
  const scope = useScope(props, problems);
  if (value === undefined) {
    return (
      <Notice tone="wait" title="The form cannot show this text" className="m-4">
        {read.ok ? 'The text is not an object.' : read.problems[0]?.message} Fix it in the YAML view.
      </Notice>
    );
  }
  return (
    <FormScopeContext.Provider value={scope}>
      <div data-object-form="">
        {readOnly !== undefined && (
          <Notice tone="hold" title="This form can only be read" className="m-4">
            {readOnly}
          </Notice>
        )}
        <FormSummary problems={[...causes, ...problems]} idOf={scope.idOf} />
        <ObjectFields path={ROOT} schema={formRootSchema(schema)} value={value} />
      </div>
    </FormScopeContext.Provider>
  );
}

const ROOT: FormPath = [];

function useScope(
  { text, onChange, readOnly, old, causes }: ObjectFormProps,
  problems: readonly FormProblem[],
): FormScope {
  const id = useId();
  const focus = useRef<string>(undefined);
  const latest = useRef(text);
  latest.current = text;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has the field that waits for the focus
  useEffect(() => {
    const target = focus.current === undefined ? null : document.getElementById(focus.current);
    if (target === null) return;
    focus.current = undefined;
    target.focus();
  }, [text]);
  return useMemo(() => {
    const messages = new Map<string, string[]>();
    for (const { field, message } of [...causes, ...problems]) {
      const place = plainFieldText(field);
      messages.set(place, [...(messages.get(place) ?? []), message]);
    }
    const idOf = (path: FormPath) => `${id}-${fieldPathText(path)}`;
    const edit = (change: DocumentEdit, target?: FormPath) => {
      const edited = editYaml(latest.current, change);
      if (edited === undefined) {
        showToast({ tone: 'wait', title: 'This field cannot be changed here. Change it in the YAML view.' });
        return;
      }
      latest.current = edited;
      if (target !== undefined) focus.current = idOf(target);
      onChange(edited);
    };
    const problemsAt = (path: FormPath) => messages.get(fieldPathText(path)) ?? NONE;
    return { Field: AnyField, readOnly, isNew: old === undefined, idOf, problemsAt, edit };
  }, [id, causes, problems, onChange, readOnly, old]);
}

const NONE: readonly string[] = [];
