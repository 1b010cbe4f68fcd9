'use client';

import { type ComponentType, createContext, useContext } from 'react';
import type { JsonValue } from '@/lib/json/json';
import type { FormPath } from '@/lib/schema/form/field-path';
import type { ObjectMember } from '@/lib/schema/form/object-members';
import type { DocumentEdit } from '@/lib/yaml/edit/value-edit';

/** One field of the form. */
export interface FormFieldProps {
  readonly path: FormPath;
  readonly member: ObjectMember;
  readonly value: JsonValue | undefined;
  /** Why this field cannot be changed; undefined when it can. */
  readonly locked: string | undefined;
  /** Writes at the end of the field's own row: the buttons of a list's item. */
  readonly actions?: React.ReactNode;
}

/** What every part of a form shares. */
export interface FormScope {
  /** Draws any field; here because fields contain fields. */
  readonly Field: ComponentType<FormFieldProps>;
  /** Why nothing can be changed; undefined when the form can be edited. */
  readonly readOnly: string | undefined;
  /** True for an object that does not exist yet: nothing is immutable in it. */
  readonly isNew: boolean;
  /** The id of the control of a field, and of its message. */
  idOf(path: FormPath): string;
  /** What is wrong with exactly this field. */
  problemsAt(path: FormPath): readonly string[];
  /** Changes the text. `focus` names the field that gets the focus afterwards. */
  edit(edit: DocumentEdit, focus?: FormPath): void;
}

export const FormScopeContext = createContext<FormScope | undefined>(undefined);

/** The form around this part. */
export function useFormScope(): FormScope {
  const scope = useContext(FormScopeContext);
  if (scope === undefined) throw new Error('a part of a form is used outside of a form');
  return scope;
}
