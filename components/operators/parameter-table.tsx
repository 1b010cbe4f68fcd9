import { Card } from '@/components/ui/card';
import { Tag } from '@/components/ui/tag';
import type { OperatorVersion } from '@/lib/kudo/types';
import { type FormField, formModel } from '@/lib/kudo/view/form-model';

/** Every parameter of a version: what it is, what it is by default, which plan a change starts. */
export function ParameterTable({ version }: { version: OperatorVersion }) {
  const groups = formModel(version);
  if (groups.length === 0) {
    return (
      <Card title="Parameters">
        <p className="px-4 py-3 text-ink-3">This operator has no parameters.</p>
      </Card>
    );
  }
  return (
    <div className="grid gap-4">
      {groups.map((group) => (
        <Card key={group.name} title={group.label} note={group.description} className="overflow-x-auto">
          <table className="table">
            <thead>
              <tr>
                <th scope="col" className="w-2/5">
                  Parameter
                </th>
                <th scope="col" className="max-sm:hidden">
                  Type
                </th>
                <th scope="col">Default</th>
                <th scope="col" className="max-md:hidden">
                  A change starts
                </th>
              </tr>
            </thead>
            <tbody>
              {group.fields.map((field) => (
                <ParameterRow key={field.name} field={field} />
              ))}
            </tbody>
          </table>
        </Card>
      ))}
    </div>
  );
}

function ParameterRow({ field }: { field: FormField }) {
  return (
    <tr>
      <td>
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-semibold">{field.label}</span>
          {field.label !== field.name && <code className="text-ink-3">{field.name}</code>}
          {field.isRequired && <Tag>required</Tag>}
          {field.isImmutable && <Tag>immutable</Tag>}
          {field.isSecret && <Tag>secret</Tag>}
        </span>
        {field.description !== undefined && (
          <span className="block max-w-[60ch] text-ink-2 text-xs">{field.description}</span>
        )}
        {field.enum !== undefined && <span className="block text-ink-3 text-xs">One of {field.enum.join(', ')}</span>}
      </td>
      <td className="text-ink-2 max-sm:hidden">{field.type}</td>
      <td>
        {field.default === undefined || field.default === '' ? (
          <span className="text-ink-3">{field.isSecret ? '••••••••' : '—'}</span>
        ) : (
          <code className="line-clamp-3 whitespace-pre-wrap" title={field.default}>
            {field.default}
          </code>
        )}
      </td>
      <td className="max-md:hidden">
        {field.plan === undefined ? <span className="text-ink-3">—</span> : <code>{field.plan}</code>}
      </td>
    </tr>
  );
}
