'use client';

import dynamic from 'next/dynamic';
import { PlannedChanges } from '@/components/instance-view/planned-changes';
import { RestartNotice } from '@/components/instance-view/restart-notice';
import { VolumeList, volumeTitle } from '@/components/instance-view/volume-list';
import { VolumeNotices } from '@/components/instance-view/volume-notices';
import { loadPart } from '@/components/ui/load-part';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Tag } from '@/components/ui/tag';
import type { EditPreview, ObjectChange } from '@/lib/kudo/parameters/parameter-edit';
import { groupFates, type VolumeFate } from '@/lib/kudo/view/volume-fate';

const TextVersions = dynamic(
  () => loadPart(() => import('@/components/resources/text-versions')).then((module) => module.TextVersions),
  {
    loading: () => <SkeletonRows rows={3} />,
  },
);

interface EditEffectsProps {
  preview: EditPreview | undefined;
  error: Error | null;
  isLoading: boolean;
}

/** What the plan that an edit starts does to each object, to volumes and to pods. */
export function EditEffects({ preview, error, isLoading }: EditEffectsProps) {
  if (error !== null) {
    return (
      <Notice tone="fail" alert title="The preview is not available">
        {error.message}
      </Notice>
    );
  }
  if (isLoading || preview === undefined) return <SkeletonRows rows={4} />;
  if (preview.plan === undefined) {
    return <p className="text-ink-2">No plan runs now. The next plan uses the new values.</p>;
  }
  const { plan, objects, unchanged, warnings, problems } = preview;
  return (
    <section className="grid gap-3">
      <PlannedChanges
        plan={plan}
        changed={objects.length}
        unchanged={unchanged}
        warnings={warnings}
        problems={problems}
      />
      <VolumesOfEdit volumes={preview.volumes} />
      <RestartNotice restarts={preview.restarts} />
      {objects.map((object) => (
        <ObjectDiff key={`${object.kind}/${object.name}`} object={object} />
      ))}
    </section>
  );
}

/** Data that the plan deletes, volumes that grow, and claims of removed members that stay. */
function VolumesOfEdit({ volumes }: { volumes: readonly VolumeFate[] }) {
  const { going, growing, staying } = groupFates(volumes);
  return (
    <>
      <VolumeNotices going={going} growing={growing} />
      {staying.length > 0 && (
        <Notice tone="idle" title={volumeTitle(staying.length, false)}>
          <VolumeList volumes={staying} />
        </Notice>
      )}
    </>
  );
}

const changeWords = { create: ['new', 'ok'], change: ['changed', 'run'], delete: ['deleted', 'fail'] } as const;

function ObjectDiff({ object }: { object: ObjectChange }) {
  const [word, tone] = changeWords[object.change];
  return (
    <details open={object.change === 'change'} className="rounded-md border">
      <summary className="flex flex-wrap items-center gap-2 px-3 py-2">
        <code className="font-medium">
          {object.kind} {object.name}
        </code>
        <Tag tone={tone}>{word}</Tag>
        <span className="text-ink-3 text-xs">{object.place}</span>
      </summary>
      <div className="border-t p-3">
        <TextVersions
          left={object.before}
          right={object.after}
          leftTitle={`${object.kind} ${object.name} now`}
          rightTitle={`${object.kind} ${object.name} after the change`}
        />
      </div>
    </details>
  );
}
