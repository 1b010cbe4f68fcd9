'use client';

import { useMemo, useState } from 'react';
import { TextVersions } from '@/components/resources/text-versions';
import { RecordState } from '@/components/runs/record-state';
import type { ReadRecord } from '@/components/runs/use-run-record';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Tag } from '@/components/ui/tag';
import { compareManifests, type ManifestDifference } from '@/lib/kudo/runs/comparison';
import type { RunRow } from '@/lib/kudo/view/run-row';
import { writeYaml } from '@/lib/yaml/yaml';

interface ComparedManifestsProps {
  earlier: RunRow;
  later: RunRow;
  before: ReadRecord;
  after: ReadRecord;
}

/** What two runs rendered, object by object: a side by side difference, and what only one of them has. */
export function ComparedManifests({ earlier, later, before, after }: ComparedManifestsProps) {
  const compared = useMemo(
    () => compareManifests({ run: earlier.run, record: before.record }, { run: later.run, record: after.record }),
    [earlier.run, later.run, before.record, after.record],
  );
  if ('missingOf' in compared) {
    const unread = [before, after].find(({ isReading, problem }) => isReading || problem !== undefined);
    return (
      <Card title="Manifests">
        {unread === undefined ? (
          <EmptyState title="The manifests are not compared">
            None are recorded of {compared.missingOf}. They are written when a run ends, unless they are too large.
          </EmptyState>
        ) : (
          <RecordState read={unread} />
        )}
      </Card>
    );
  }
  const { differences, alike } = compared;
  return (
    <Card title="Manifests" note={`${differences.length} of ${differences.length + alike} differ`}>
      {differences.length === 0 && <EmptyState title="Both runs rendered the same objects" />}
      <ul className="divide-y divide-line">
        {[...differences].sort(inBothFirst).map((each, at) => (
          <li key={each.name} data-object={each.name}>
            <Difference difference={each} earlier={earlier} later={later} isFirst={at === 0 && isInBoth(each)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The texts are compared when they are looked at: a run can have a thousand objects. */
function Difference({
  difference: { name, before, after },
  earlier,
  later,
  isFirst,
}: {
  difference: ManifestDifference;
  earlier: RunRow;
  later: RunRow;
  isFirst: boolean;
}) {
  const [open, setOpen] = useState(isFirst);
  const only = before === undefined ? later : after === undefined ? earlier : undefined;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-10 cursor-pointer flex-wrap items-center gap-2 px-4 py-2">
        <code className="min-w-0 break-all font-medium">{name}</code>
        {only === undefined ? <Tag tone="run">differs</Tag> : <Tag tone="hold">only in {only.name}</Tag>}
      </summary>
      {open && (
        <div className="px-4 pb-3">
          {before !== undefined && after !== undefined ? (
            <TextVersions
              left={writeYaml(before)}
              right={writeYaml(after)}
              leftTitle={`${name} in ${earlier.name}`}
              rightTitle={`${name} in ${later.name}`}
            />
          ) : (
            <OneText text={writeYaml(before ?? after)} />
          )}
        </div>
      )}
    </details>
  );
}

function OneText({ text }: { text: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard
      tabIndex={0}
      className="mono max-h-80 overflow-auto rounded-md bg-sunken p-3 text-xs"
    >
      {text}
    </pre>
  );
}

function isInBoth({ before, after }: ManifestDifference): boolean {
  return before !== undefined && after !== undefined;
}

function inBothFirst(a: ManifestDifference, b: ManifestDifference): number {
  return Number(isInBoth(b)) - Number(isInBoth(a));
}
