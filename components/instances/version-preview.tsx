import { PlannedChanges } from '@/components/instance-view/planned-changes';
import { RestartNotice } from '@/components/instance-view/restart-notice';
import { TextVersions } from '@/components/resources/text-versions';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Tag } from '@/components/ui/tag';
import type { VersionChangePreview } from '@/lib/kudo/package/catalogue';
import type { ObjectChange } from '@/lib/kudo/parameters/parameter-edit';

/** What a change of the version does: what is installed, which plan runs, and every object that differs. */
export function VersionPreview({ preview, error }: { preview: VersionChangePreview | undefined; error: Error | null }) {
  if (error !== null) {
    return (
      <Notice tone="fail" alert title="The preview is not available">
        {error.message}
      </Notice>
    );
  }
  if (preview === undefined) return <SkeletonRows rows={3} />;
  const { outcome, message, installs, problems } = preview;
  return (
    <section aria-label="What the change does" className="grid gap-3">
      {installs.length > 0 && <p>Created first, with your permissions: {installs.join(', ')}.</p>}
      {outcome === 'refused' && (
        <Notice tone="fail" title="The version cannot be changed">
          {message}
        </Notice>
      )}
      {outcome !== 'refused' && problems.length === 0 && <Objects preview={preview} />}
    </section>
  );
}

function Objects({ preview }: { preview: VersionChangePreview }) {
  const { plan, objects, unchanged, leftOver, warnings, renderProblems } = preview;
  if (plan === undefined) return <p className="text-ink-2">No plan runs.</p>;
  return (
    <>
      <PlannedChanges
        plan={plan}
        changed={objects.length}
        unchanged={unchanged}
        warnings={warnings}
        problems={renderProblems}
      />
      <RestartNotice restarts={preview.restarts} />
      {objects.map((object) => (
        <ObjectVersions key={`${object.kind}/${object.name}`} object={object} />
      ))}
      {leftOver.length > 0 && (
        <p className="text-ink-2">
          Not part of the new version, and not deleted: {leftOver.join(', ')}. The page of the Instance lists them under
          Left over.
        </p>
      )}
    </>
  );
}

const changeWords = { create: ['new', 'ok'], change: ['changed', 'run'], delete: ['deleted', 'fail'] } as const;

function ObjectVersions({ object }: { object: ObjectChange }) {
  const [word, tone] = changeWords[object.change];
  return (
    <details className="rounded-md border">
      <summary className="flex flex-wrap items-center gap-2 px-3 py-2">
        <code className="font-medium">
          {object.kind} {object.name}
        </code>
        <Tag tone={tone}>{word}</Tag>
        <span className="text-ink-3 text-xs">{object.place}</span>
      </summary>
      <div className="border-t p-3">
        <TextVersions left={object.before} right={object.after} leftTitle="Present version" rightTitle="New version" />
      </div>
    </details>
  );
}
