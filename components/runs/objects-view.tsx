import { EmptyState } from '@/components/ui/empty-state';
import { Tag } from '@/components/ui/tag';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import type { TouchedObject, TouchKind } from '@/lib/kudo/runs/record-format';
import type { RunRow } from '@/lib/kudo/view/run-row';
import type { Tone } from '@/lib/kudo/view/status-words';
import { RecordState } from './record-state';
import { useRunRecord } from './use-run-record';

const CHANGES: { readonly [change in TouchKind]: readonly [word: string, tone: Tone] } = {
  created: ['created', 'ok'],
  changed: ['changed', 'run'],
  unchanged: ['not changed', 'idle'],
  deleted: ['deleted', 'fail'],
  applied: ['applied', 'idle'],
};

/** Every object that the run touched, by step, with what it changed in each. */
export function ObjectsView({ row }: { row: RunRow }) {
  const read = useRunRecord(row);
  if (read.record === undefined) return <RecordState read={read} />;
  const touched = read.record.tasks.flatMap(({ phase, step, task, objects }) =>
    objects.map((object) => ({ object, place: `${phase} / ${step}`, key: `${phase}/${step}/${task}` })),
  );
  if (touched.length === 0) return <EmptyState title="The run touched no object" />;
  return (
    <ul className="divide-y divide-line">
      {touched.map(({ object, place, key }) => (
        <li key={`${key} ${object.kind} ${object.name}`} className="px-4 py-2.5" data-change={object.change}>
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
            <code className="min-w-0 break-all">
              <span className="text-ink-2">{object.kind}</span> {object.name}
            </code>
            <Tag tone={CHANGES[object.change][1]}>{CHANGES[object.change][0]}</Tag>
            <span className="ms-auto text-ink-3 text-xs">{place}</span>
          </div>
          <Difference object={object} />
        </li>
      ))}
    </ul>
  );
}

function Difference({ object: { diff, kind, name } }: { object: TouchedObject }) {
  if (diff === undefined || Object.keys(diff).length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="min-h-6 cursor-pointer text-ink-2 text-xs">
        What changed
        <span className="sr-only">
          {' '}
          in {kind} {name}
        </span>
      </summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard
        tabIndex={0}
        className="mono mt-1 max-h-80 overflow-auto rounded-md bg-sunken p-3 text-xs"
      >
        {canonicalYaml(diff)}
      </pre>
    </details>
  );
}
