'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code';
import { Tag } from '@/components/ui/tag';
import type { OperatorVersion, Task } from '@/lib/kudo/types';

/** The tasks of a version with what they use, and its templates to open. */
export function TaskList({ version }: { version: OperatorVersion }) {
  const tasks = version.spec?.tasks ?? [];
  const templates = useTemplates(version);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Tasks" note={String(tasks.length)}>
        <ul className="divide-y divide-line">
          {tasks.map((task) => (
            <li key={task.name} className="grid gap-1 px-4 py-2 sm:grid-cols-[minmax(0,1fr)_auto]">
              <span className="font-medium">{task.name}</span>
              <Tag className="justify-self-start">{task.kind}</Tag>
              <span className="col-span-full text-ink-2">{taskDetails(task)}</span>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Templates" note={String(Object.keys(templates).length)}>
        <ul className="divide-y divide-line">
          {Object.entries(templates).map(([name, text]) => (
            <li key={name}>
              <details>
                <summary className="mono px-4 py-2 hover:bg-sunken focus-visible:-outline-offset-2">{name}</summary>
                <CodeBlock text={text} label={name} className="max-h-96 border-t bg-ground" />
              </details>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

/** A version out of the event stream has no template texts: they are asked for. */
function useTemplates(version: OperatorVersion): { readonly [name: string]: string } {
  const { templates = {} } = version.spec ?? {};
  const { name = '', namespace, uid } = version.metadata;
  const isSlim = uid !== undefined && Object.values(templates).every((text) => text === '');
  const { data } = useQuery({
    enabled: isSlim,
    queryKey: ['templates', uid],
    queryFn: ({ signal }) =>
      request<OperatorVersion>(
        kubePath({ group: 'kudo.dev', version: 'v1beta1', resource: 'operatorversions', namespace, name }),
        { signal },
      ),
  });
  return data?.spec?.templates ?? templates;
}

function taskDetails({ kind, spec = {} }: Task): string {
  switch (kind) {
    case 'Toggle':
      return `${(spec.resources ?? []).join(', ')}: applied if ${spec.parameter ?? '?'} is true, else deleted`;
    case 'Pipe':
      return `${spec.pod ?? '?'}: ${(spec.pipe ?? []).map((pipe) => `${pipe.file ?? pipe.envFile ?? ''} → ${pipe.kind ?? ''} ${pipe.key ?? ''}`).join(', ')}`;
    case 'KudoOperator':
      return `installs ${spec.package ?? '?'} ${spec.operatorVersion ?? ''}`;
    default:
      return (spec.resources ?? []).join(', ');
  }
}
