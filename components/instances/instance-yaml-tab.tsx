'use client';

import { useMemo, useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { changedFields } from '@/components/resources/managed/changed-fields';
import { ToolNotice } from '@/components/resources/ownership/tool-notice';
import { LaterSaveDialog } from '@/components/resources/save/later-save-dialog';
import { useSchemas } from '@/components/resources/use-schemas';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { YamlEditor } from '@/components/ui/yaml-editor/yaml-editor';
import { type JsonObject, objectAt } from '@/lib/json/json';
import { toChange } from '@/lib/kudo/view/action-rights';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';
import { editableYaml, patched, yamlEdit } from './instance-yaml';
import { useReviewYaml, useSaveYaml } from './use-save-yaml';

/** The Instance as YAML. Saving shows what a dry run answers, then sends only the differences, and refuses to overwrite changes of others. */
export function InstanceYamlTab() {
  const { row } = useInstanceView();
  return row === undefined ? null : <InstanceYaml row={row} />;
}

const schemaVersions = ['kudo.dev/v1beta1'];

function InstanceYaml({ row }: { row: InstanceRow }) {
  const stored = useMemo(() => editableYaml(row.instance), [row.instance]);
  const [draft, setDraft] = useState<{ base: string; text: string }>();
  const { block } = useAccess(toChange(row.namespace));
  const schemaOf = useSchemas(schemaVersions);
  const base = draft?.base ?? stored;
  const text = draft?.text ?? stored;
  const edit = useMemo(() => yamlEdit(base, text), [base, text]);
  const save = useSaveYaml(row, () => {
    setDraft(undefined);
    showToast({ tone: 'ok', title: `${row.name} saved` });
  });
  const review = useReviewYaml(row);
  const failed = review.error ?? save.error;
  /** A field that is kept as it is stored changes the text, which is reviewed again. */
  const ask = (edited: string) => {
    const asked = yamlEdit(base, edited);
    save.reset();
    if (asked.kind === 'patch') review.mutate({ patch: asked.patch, base, text: edited });
    else review.reset();
  };
  const unchanged = edit.kind === 'unchanged' ? 'Nothing is changed.' : undefined;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {draft !== undefined && draft.base !== stored && <ChangedElsewhere onLoad={() => setDraft(undefined)} />}
      {failed !== null && (
        <Notice tone="fail" alert title="The instance was not saved">
          {failed.message}
        </Notice>
      )}
      {edit.kind === 'patch' && <InstanceElsewhere row={row} patch={edit.patch} />}
      <section className="card overflow-clip">
        <EditBar
          isChanged={draft !== undefined}
          isBusy={review.isPending || save.isPending}
          blocked={unchanged ?? (edit.kind === 'wrong' ? edit.message : block)}
          onDiscard={() => {
            setDraft(undefined);
            review.reset();
            save.reset();
          }}
          onSave={() => ask(text)}
        />
        {edit.kind === 'wrong' && <p className="border-b px-4 py-2 text-fail">{edit.message}</p>}
        <YamlEditor
          label={`${row.name} as YAML`}
          value={text}
          onChange={(next) => setDraft(next === stored ? undefined : { base, text: next })}
          onSave={() => block === undefined && ask(text)}
          schemaOf={schemaOf}
        />
      </section>
      {/* What was typed while the API server answered has not been reviewed. */}
      {review.data !== undefined && review.variables.text === text && (
        <LaterSaveDialog
          review={review.data}
          text={text}
          isMasked
          isBusy={false}
          onClose={review.reset}
          onSave={() => {
            save.mutate(review.variables);
            review.reset();
          }}
          onKeep={(kept) => {
            setDraft({ base, text: kept });
            ask(kept);
          }}
        />
      )}
    </div>
  );
}

function ChangedElsewhere({ onLoad }: { onLoad: () => void }) {
  return (
    <Notice
      tone="wait"
      title="Somebody else changed this instance since you started"
      action={<Button onClick={onLoad}>Load the stored version</Button>}
    >
      Saving sends only your changes. It is refused where both of you changed the same field.
    </Notice>
  );
}

interface EditBarProps {
  readonly isChanged: boolean;
  readonly isBusy: boolean;
  /** Why nothing can be saved now. */
  readonly blocked: string | undefined;
  readonly onDiscard: () => void;
  readonly onSave: () => void;
}

function EditBar({ isChanged, isBusy, blocked, onDiscard, onSave }: EditBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2">
      <span className="text-ink-2">Secret values are masked; a masked value stays as it is stored.</span>
      <span className="ms-auto flex gap-2">
        <Button variant="quiet" disabledReason={isChanged ? undefined : 'Nothing is changed.'} onClick={onDiscard}>
          Discard
        </Button>
        <Button variant="primary" busy={isBusy} disabledReason={blocked} onClick={onSave}>
          Save
        </Button>
      </span>
    </div>
  );
}

/** Edits of parameters may hold secret values, which are not exported: the parameters tab leaves them out. */
function InstanceElsewhere({ row, patch }: { row: InstanceRow; patch: JsonObject }) {
  const { instance } = row;
  const after = patched(instance, patch);
  const fields = changedFields(instance as unknown as JsonObject, after as unknown as JsonObject).map(({ at }) => at);
  const isExported = objectAt(patch, 'spec').parameters === undefined;
  const change = { type: topics.instances, before: instance, after, title: `Change Instance ${row.name}` };
  return <ToolNotice object={instance} fields={fields} change={isExported ? change : undefined} />;
}
