import { useTopic } from '@/components/live/use-topic';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { nameOf } from '@/lib/kube/object';
import { topics } from '@/lib/live/topic';
import type { ResourceDraft } from './use-resource-draft';

/** Where a new resource is, and its name. */
export function NewResourcePlace({
  draft: { namespace, name },
  nameHint,
  nameProblem,
  onChange,
}: {
  draft: ResourceDraft;
  nameHint: string;
  nameProblem: string | undefined;
  onChange: (part: Partial<ResourceDraft>) => void;
}) {
  const { objects, status } = useTopic(topics.namespaces);
  const names = [...new Set([...objects.map(nameOf), namespace])].sort();
  return (
    <Card title="Where">
      <div className="grid gap-x-6 gap-y-4 p-4 sm:grid-cols-2">
        <Field label="Namespace" hint="The operator must be installed in it.">
          {(wiring) =>
            status === 'forbidden' ? (
              <Input
                {...wiring}
                mono
                value={namespace}
                onChange={(event) => onChange({ namespace: event.target.value })}
              />
            ) : (
              <Select {...wiring} value={namespace} onChange={(event) => onChange({ namespace: event.target.value })}>
                {names.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </Select>
            )
          }
        </Field>
        <Field label="Name" hint={nameHint} error={nameProblem} required>
          {(wiring) => (
            <Input
              {...wiring}
              mono
              spellCheck={false}
              autoComplete="off"
              value={name}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
      </div>
    </Card>
  );
}
