'use client';

import { useMemo, useState } from 'react';
import { TextVersions } from '@/components/resources/text-versions';
import { RecordState } from '@/components/runs/record-state';
import type { ReadRecord } from '@/components/runs/use-run-record';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Tag } from '@/components/ui/tag';
import type { KubeObject } from '@/lib/kube/object';
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
        {differences.map((each, at) => (
          <li key={each.name} data-object={each.name}>
            <Difference difference={each} earlier={earlier} later={later} isFirst={at === 0} />
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
          <TextVersions
            left={textOf(before)}
            right={textOf(after)}
            leftTitle={`${name} in ${earlier.name}`}
            rightTitle={`${name} in ${later.name}`}
          />
        </div>
      )}
    </details>
  );
}

function textOf(manifest: KubeObject | undefined): string {
  return manifest === undefined ? '' : writeYaml(manifest);
}
