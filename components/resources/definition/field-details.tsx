import { CopyButton } from '@/components/ui/copy-button';
import { KeyValues } from '@/components/ui/key-values';
import { Tag } from '@/components/ui/tag';
import { fieldFacts, fieldRules } from '@/lib/schema/field-facts';
import { type SchemaField, schemaTypeWords } from '@/lib/schema/schema-fields';

/** What the schema says of one field. */
export function FieldDetails({ field }: { field: SchemaField }) {
  const { schema } = field;
  const facts = fieldFacts(schema);
  return (
    <section
      aria-label="Details of the field"
      className="grid min-w-0 content-start gap-3 p-4 max-lg:border-t lg:sticky lg:top-0 lg:max-h-[620px] lg:overflow-y-auto"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <code className="wrap-anywhere min-w-0 font-semibold">{field.id}</code>
        <CopyButton text={field.id} label="Copy the path" />
        <Tag>{schemaTypeWords(schema)}</Tag>
        {field.isRequired && <Tag tone="run">required</Tag>}
      </div>
      <p className="wrap-anywhere whitespace-pre-line">
        {schema.description ?? <span className="text-ink-2">The schema does not describe this field.</span>}
      </p>
      {facts.length > 0 && (
        <KeyValues
          entries={facts.map(([name, text]) => [
            name,
            <code key={name} className="wrap-anywhere">
              {text}
            </code>,
          ])}
        />
      )}
      <Rules field={field} />
    </section>
  );
}

function Rules({ field }: { field: SchemaField }) {
  const rules = fieldRules(field.schema);
  if (rules.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1 font-medium text-ink-2 text-xs">Validation rules</h3>
      <ul className="grid gap-2">
        {rules.map(({ rule, message, of }) => (
          <li key={`${of} ${rule}`} className="min-w-0">
            <p className="wrap-anywhere">
              {of === 'item' && <span className="text-ink-2">Each item: </span>}
              {message}
            </p>
            <code className="wrap-anywhere block text-ink-2">{rule}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
