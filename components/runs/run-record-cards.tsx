'use client';

import { useQuery } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { canonicalYaml } from '@/lib/kudo/rendering/canonical-yaml';
import { parseRunRecord, type RunRecord, type TouchedObject, type TouchKind } from '@/lib/kudo/runs/record-format';
import type { RunRow } from '@/lib/kudo/view/run-row';

/** The objects of a run with the difference of each, and the events and logs of what failed. */
export function RunRecordCards({ row }: { row: RunRow }) {
  const { data, error } = useQuery({
    queryKey: ['run-record', row.key, row.run.metadata.uid],
    queryFn: async ({ signal }) => {
      const path = `/api/runs/${encodeURIComponent(row.namespace)}/${encodeURIComponent(row.name)}/record`;
      const { record } = await request<{ record: unknown }>(path, { signal });
      return parseRunRecord(record) ?? null;
    },
    // It is written once.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error !== null) {
    return (
      <Notice tone="hold" title="The record of what the run applied cannot be read">
        {error.message}
      </Notice>
    );
  }
  if (data === undefined) return <SkeletonRows />;
  if (data === null) return null;
  return (
    <>
      {data.failure !== undefined && <FailureCard failure={data.failure} />}
      <ObjectsCard record={data} />
    </>
  );
}

function FailureCard({ failure }: { failure: NonNullable<RunRecord['failure']> }) {
  const { events, logs } = failure;
  if (events.length === 0 && logs.length === 0) return null;
  return (
    <Card title="What failed">
      <ul className="divide-y divide-line">
        {events.map(({ object, reason, message, time }) => (
          <li key={`${time} ${object} ${reason} ${message}`} className="px-4 py-2.5">
            <span className="font-medium">{reason}</span> <code className="text-ink-2">{object}</code>
            <p className="text-ink-2 text-xs">{message}</p>
          </li>
        ))}
        {logs.map(({ pod, container, text }) => (
          <li key={`${pod} ${container}`} className="px-4 py-2.5">
            <p className="text-ink-2 text-xs">
              Pod <code>{pod}</code>, container <code>{container}</code>, its last lines:
            </p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long log is scrolled with the keyboard */}
            <pre tabIndex={0} className="mono mt-1 max-h-80 overflow-auto rounded-md bg-sunken p-3 text-xs">
              {text}
            </pre>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const CHANGE_WORDS: { readonly [change in TouchKind]: string } = {
  created: 'created',
  changed: 'changed',
  unchanged: 'not changed',
  deleted: 'deleted',
  applied: 'applied',
};

function ObjectsCard({ record }: { record: RunRecord }) {
  const touched = record.tasks.flatMap(({ phase, step, objects }) =>
    objects.map((object) => ({ object, place: `${phase} / ${step}` })),
  );
  if (touched.length === 0) return null;
  return (
    <Card title="Objects" note={String(touched.length)}>
      <ul className="divide-y divide-line">
        {touched.map(({ object, place }) => (
          <li key={`${place} ${object.kind} ${object.name}`} className="px-4 py-2.5" data-change={object.change}>
            <div className="flex flex-wrap items-center gap-x-3">
              <span className="text-ink-2">{object.kind}</span>
              <code className="min-w-0 break-words font-medium">{object.name}</code>
              <span className="text-ink-2 text-xs">{CHANGE_WORDS[object.change]}</span>
              <span className="ms-auto text-ink-3 text-xs">{place}</span>
            </div>
            <Difference object={object} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Difference({ object: { diff, kind, name } }: { object: TouchedObject }) {
  if (diff === undefined || Object.keys(diff).length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="cursor-pointer text-ink-2 text-xs">
        What changed
        <span className="sr-only">
          {' '}
          in {kind} {name}
        </span>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard */}
      <pre tabIndex={0} className="mono mt-1 max-h-80 overflow-auto rounded-md bg-sunken p-3 text-xs">
        {canonicalYaml(diff)}
      </pre>
    </details>
  );
}
