import { RestartNotice } from '@/components/instance-view/restart-notice';
import { VolumeList, volumeTitle } from '@/components/instance-view/volume-list';
import { VolumeNotices } from '@/components/instance-view/volume-notices';
import { TextVersions } from '@/components/resources/text-versions';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Tag } from '@/components/ui/tag';
import { wordsForDialog } from '@/lib/kudo/approvals/judge-approval';
import type { PlanObjectChange, PlanPreview } from '@/lib/kudo/view/plan-preview';
import { groupFates } from '@/lib/kudo/view/volume-fate';
import { PlannedTasks } from './planned-tasks';

/** What a plan does: volumes that are deleted or grow, pods that restart, objects, and what stays. */
export function PlanEffects({ preview, error }: { preview: PlanPreview | undefined; error: Error | null }) {
  if (error !== null) {
    return (
      <Notice tone="fail" alert title="The preview is not available">
        {error.message}
      </Notice>
    );
  }
  if (preview === undefined) return <SkeletonRows rows={3} />;
  const { going, growing, staying } = groupFates(preview.volumes);
  return (
    <section aria-label="What the plan does" className="grid gap-3">
      {preview.outcome === 'refused' && (
        <Notice tone="wait" alert title="The plan cannot start now">
          {wordsForDialog(sentence(preview.message))}
        </Notice>
      )}
      {preview.outcome === 'queues' && (
        <Notice tone="idle" title="Another plan is running">
          This plan waits in the queue and starts when that one is complete.
        </Notice>
      )}
      <VolumeNotices going={going} growing={growing} />
      <RestartNotice restarts={preview.restarts} />
      <Objects preview={preview} />
      <PlannedTasks tasks={preview.tasks} />
      {staying.length > 0 && (
        <div>
          <h3 className="mb-1 font-semibold">{volumeTitle(staying.length, false)}</h3>
          <VolumeList volumes={staying} />
        </div>
      )}
      {[...preview.unchecked, ...preview.problems].map((problem) => (
        <Notice key={problem} tone="wait" title={problem} />
      ))}
    </section>
  );
}

const words = {
  create: ['created', 'ok'],
  change: ['changed', 'run'],
  replace: ['deleted and created again', 'wait'],
  delete: ['deleted', 'fail'],
} as const;

function Objects({ preview }: { preview: PlanPreview }) {
  // Claims are listed with their sizes.
  const objects = preview.objects.filter(({ kind, change }) => kind !== 'PersistentVolumeClaim' || change === 'create');
  const { unchanged } = preview;
  const noObject = preview.volumes.some(({ goes }) => goes) ? 'No other object changes' : 'No object changes';
  const rest =
    unchanged === 0 ? '' : `${unchanged} ${unchanged === 1 ? 'object stays as it is' : 'objects stay as they are'}`;
  return (
    <div>
      <h3 className="mb-1 font-semibold">
        {objects.length === 0 ? noObject : `${objects.length} ${objects.length === 1 ? 'object' : 'objects'}`}
      </h3>
      <ul className="grid gap-1">
        {objects.map((object) => (
          <ObjectLine key={`${object.kind}/${object.name}`} object={object} />
        ))}
      </ul>
      {rest !== '' && <p className="mt-1 text-ink-2">{rest}.</p>}
    </div>
  );
}

function ObjectLine({ object }: { object: PlanObjectChange }) {
  const { before, after } = object;
  if (before === '' && after === '') {
    return (
      <li className="flex flex-wrap items-center gap-x-2">
        <ObjectName object={object} />
      </li>
    );
  }
  return (
    <li>
      <details>
        <summary className="flex flex-wrap items-center gap-x-2">
          <ObjectName object={object} />
        </summary>
        <div className="py-2">
          <TextVersions left={before} right={after} leftTitle="In the cluster" rightTitle="After the plan" />
        </div>
      </details>
    </li>
  );
}

function ObjectName({ object: { kind, name, change, place } }: { object: PlanObjectChange }) {
  const [word, tone] = words[change];
  return (
    <>
      <code className="break-all">
        {kind} {name}
      </code>
      <Tag tone={tone}>{word}</Tag>
      <span className="text-ink-3 text-xs">{place}</span>
    </>
  );
}

function sentence(text = ''): string {
  const upper = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return upper === '' || upper.endsWith('.') ? upper : `${upper}.`;
}
