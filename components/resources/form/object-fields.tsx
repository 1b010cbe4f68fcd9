'use client';

import { type JsonValue, objectAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import type { FormPath } from '@/lib/schema/form/field-path';
import { immutableBecause } from '@/lib/schema/form/form-problems';
import { objectMembers } from '@/lib/schema/form/object-members';
import { ROOT_HIDDEN, SERVER_METADATA, withEmbeddedFields } from '@/lib/schema/form/root-schema';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { AddField } from './add-field';
import { AlternativeField } from './alternative-field';
import { useFormScope } from './form-context';

/** The fields of an object: required ones, set ones, and a way to add the others. */
export function ObjectFields({
  path,
  schema: given,
  value,
  locked,
}: {
  path: FormPath;
  schema: JsonSchema;
  value: JsonValue | undefined;
  locked?: string | undefined;
}) {
  const { Field, isNew, readOnly } = useFormScope();
  const schema = withEmbeddedFields(given);
  const { shown, addable } = objectMembers(schema, value, hiddenAt(path));
  const members = objectAt(value);
  const first = shown.slice(0, limits.forms.shownMembers);
  return (
    <div className="divide-y divide-line">
      <AlternativeField path={path} schema={schema} value={value} />
      {first.map((member) => (
        <Field
          key={member.name}
          path={[...path, member.name]}
          member={member}
          value={members[member.name]}
          locked={locked ?? lockOf({ path, schema, name: member.name, isNew: isNew || !member.isSet })}
        />
      ))}
      {shown.length > first.length && (
        <p className="px-4 py-2 text-ink-2">{shown.length - first.length} more fields are in the YAML.</p>
      )}
      {readOnly === undefined && locked === undefined && <AddField path={path} members={addable} schema={schema} />}
    </div>
  );
}

const NOTHING: ReadonlySet<string> = new Set();

function hiddenAt(path: FormPath): ReadonlySet<string> {
  if (path.length === 0) return ROOT_HIDDEN;
  return path.length === 1 && path[0] === 'metadata' ? SERVER_METADATA : NOTHING;
}

function lockOf(field: { path: FormPath; schema: JsonSchema; name: string; isNew: boolean }): string | undefined {
  const { path, schema, name, isNew } = field;
  if (isNew) return undefined;
  const isMeta = path.length === 1 && path[0] === 'metadata';
  if (isMeta && (name === 'name' || name === 'namespace')) return 'The name of an object cannot change.';
  return immutableBecause(schema, name);
}
