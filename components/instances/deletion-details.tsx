import { type ReactNode, useId } from 'react';
import { VolumeList, volumeTitle } from '@/components/instance-view/volume-list';
import { Notice } from '@/components/ui/notice';
import type { OwnedObject } from '@/lib/kudo/inventory/owned-object';
import type { DeletionPreview } from '@/lib/kudo/view/deletion-preview';
import { unreadableText } from '@/lib/kudo/view/unreadable';

/** What a deletion does: the cleanup plan, the volumes, what is deleted, what stays. */
export function DeletionDetails({ preview, namespace }: { preview: DeletionPreview; namespace: string }) {
  const { running, cleanup, volumes, goes, stays, dependents, problems, unreadable } = preview;
  return (
    <div className="grid gap-3">
      {running !== undefined && (
        <p className="text-wait">
          Plan <code>{running}</code> is running and is cancelled.
        </p>
      )}
      <Dependents dependents={dependents} />
      <CleanupPhases cleanup={cleanup} />
      <Volumes volumes={volumes} />
      <Part title={countTitle(goes.length, 'is deleted', 'are deleted')}>
        <ObjectNames objects={goes} />
      </Part>
      {stays.length > 0 && (
        <Part title={countTitle(stays.length, 'stays', 'stay')}>
          <ObjectNames objects={stays} />
        </Part>
      )}
      <p className="text-ink-2">The operator and its versions stay installed.</p>
      {problems.length > 0 && (
        <Notice tone="wait" title="This preview is incomplete">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      {unreadable.length > 0 && (
        <p className="text-wait">{unreadableText(unreadable, namespace)} Such objects are not in these lists.</p>
      )}
    </div>
  );
}

function Dependents({ dependents }: Pick<DeletionPreview, 'dependents'>) {
  if (dependents.length === 0) return null;
  return (
    <Notice
      tone="wait"
      title={dependents.length === 1 ? 'An instance uses it' : `${dependents.length} instances use it`}
    >
      <ul className="grid gap-0.5">
        {dependents.slice(0, SHOWN).map(({ namespace, name, parameter }) => (
          <li key={`${namespace}/${name}`}>
            <code>
              {namespace}/{name}
            </code>{' '}
            by its parameter <code>{parameter}</code>
          </li>
        ))}
      </ul>
      {dependents.length > SHOWN && <p>and {dependents.length - SHOWN} more</p>}
      <p>Their next plans wait until it exists again.</p>
    </Notice>
  );
}

function CleanupPhases({ cleanup }: Pick<DeletionPreview, 'cleanup'>) {
  if (cleanup === undefined) {
    return (
      <Part title="No cleanup plan runs">
        <p className="text-ink-2">Kubernetes deletes the objects below at once.</p>
      </Part>
    );
  }
  return (
    <Part title="First, plan cleanup runs">
      <ol className="grid list-decimal gap-0.5 ps-5 text-ink-2">
        {cleanup.map(({ phase, steps }) => (
          <li key={phase}>
            {phase}: {steps.map(({ step }) => step).join(', ')}
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Volumes({ volumes }: Pick<DeletionPreview, 'volumes'>) {
  const going = volumes.filter(({ goes }) => goes);
  const staying = volumes.filter(({ goes }) => !goes);
  return (
    <>
      {going.length > 0 && (
        <Part title={<span className="text-fail">{volumeTitle(going.length, true)}</span>}>
          <VolumeList volumes={going} />
        </Part>
      )}
      {staying.length > 0 && (
        <Part title={volumeTitle(staying.length, false)}>
          <VolumeList volumes={staying} />
        </Part>
      )}
    </>
  );
}

function countTitle(count: number, one: string, more: string): string {
  return count === 1 ? `1 object ${one}` : `${count} objects ${more}`;
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1 font-semibold">
        {title}
      </h3>
      {children}
    </section>
  );
}

const SHOWN = 8;

function ObjectNames({ objects }: { objects: readonly OwnedObject[] }) {
  if (objects.length === 0) return null;
  return (
    <ul className="grid gap-0.5 text-ink-2">
      {objects.slice(0, SHOWN).map((object) => (
        <li key={object.uid || `${object.kind}/${object.name}`}>
          <code>
            {object.kind} {object.name}
          </code>
          {object.note !== '' && <span> {object.note}</span>}
        </li>
      ))}
      {objects.length > SHOWN && <li>and {objects.length - SHOWN} more</li>}
    </ul>
  );
}
