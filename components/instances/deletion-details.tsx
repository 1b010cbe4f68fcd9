import type { ReactNode } from 'react';
import type { DeletionPreview } from '@/lib/kudo/deletion-preview';
import type { OwnedObject } from '@/lib/kudo/owned-object';

/** What a deletion does, in three parts: cleanup, what goes, what stays. */
export function DeletionDetails({ preview }: { preview: DeletionPreview }) {
  return (
    <div className="grid gap-3">
      {preview.running !== undefined && (
        <p className="text-wait">
          Plan <code>{preview.running}</code> is running and will be left off.
        </p>
      )}
      <Part title={preview.cleanup === undefined ? 'No cleanup plan runs' : 'First, plan cleanup runs'}>
        {preview.cleanup === undefined ? (
          <p className="text-ink-2">The operator has none: the objects below go at once.</p>
        ) : (
          <ol className="grid list-decimal gap-0.5 ps-5 text-ink-2">
            {preview.cleanup.map(({ phase, steps }) => (
              <li key={phase}>
                {phase}: {steps.map(({ step }) => step).join(', ')}
              </li>
            ))}
          </ol>
        )}
      </Part>
      <Part title={`${preview.goes.length} ${preview.goes.length === 1 ? 'object goes' : 'objects go'} with it`}>
        <ObjectNames objects={preview.goes} />
      </Part>
      {preview.stays.length > 0 && (
        <Part title={staysTitle(preview.stays.length)}>
          <ObjectNames objects={preview.stays} />
        </Part>
      )}
      <p className="text-ink-2">The operator and its versions stay installed.</p>
      {preview.unreadable.length > 0 && (
        <p className="text-wait">Not readable for you, so not counted: {preview.unreadable.join(', ')}.</p>
      )}
    </div>
  );
}

function staysTitle(count: number): string {
  return count === 1
    ? '1 object is not owned by it and stays, unless the cleanup plan deletes it'
    : `${count} objects are not owned by it and stay, unless the cleanup plan deletes them`;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 font-semibold">{title}</h3>
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
