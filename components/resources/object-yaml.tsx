'use client';

import { useMemo, useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { SkeletonRows } from '@/components/ui/skeleton';
import { showToast } from '@/components/ui/toast';
import { YamlEditor } from '@/components/ui/yaml-editor/yaml-editor';
import { accessTo } from '@/lib/kube/access';
import type { KubeObject } from '@/lib/kube/object';
import type { YamlFinding } from '@/lib/yaml/lint-yaml';
import { DraftConflict } from './draft-conflict';
import { EditedElsewhere, useEditedOwners } from './edited-elsewhere';
import { ManagedNotice } from './managed/managed-notice';
import { RevertDialog } from './managed/revert-dialog';
import { useManager } from './managed/use-manager';
import type { ObjectAddress } from './object-draft';
import { ProblemNotice } from './problem-notice';
import { isMaskedKind } from './secret-mask';
import { type ObjectDraft, useObjectDraft } from './use-object-draft';
import { useSchemas } from './use-schemas';
import { firstError, YamlFindings } from './yaml-findings';

/**
 * An object as YAML, to read and to edit: checked against the cluster's schema while typing, saved only over the version
 * that was read. After a change by somebody else both versions are shown. A change that self-heal or a tool outside reverts is named before it is saved. Secret
 * values are masked and stay as they are.
 *
 * @param live the object as the event stream shows it
 */
export function ObjectYaml({ address, live }: { address: ObjectAddress; live: KubeObject | undefined }) {
  const draft = useObjectDraft(address, live);
  const manager = useManager(live);
  const apiVersion = live?.apiVersion;
  const schemaOf = useSchemas(useMemo(() => (apiVersion === undefined ? [] : [apiVersion]), [apiVersion]));
  const [findings, setFindings] = useState<readonly YamlFinding[]>([]);
  /** The save that waits for an answer. */
  const [asked, setAsked] = useState<() => Promise<boolean>>();
  const { block } = useAccess(accessTo('update', address.type, address.namespace));
  const run = async (save: () => Promise<boolean>) => {
    setAsked(undefined);
    if (await save()) showToast({ tone: 'ok', title: `Saved ${address.name}` });
  };
  const tools = useEditedOwners(live, draft);
  const ask = (save: () => Promise<boolean>) => {
    const isReverted = manager?.selfHeal === 'on' || tools.reversals().length > 0;
    if (isReverted && draft.changedFields().length > 0) setAsked(() => save);
    else void run(save);
  };
  const blocked = whyNotSave(draft, findings) ?? block;
  return (
    <>
      {manager !== undefined && <ManagedNotice manager={manager} what="this object" />}
      <Card className="min-w-0">
        {isMaskedKind(address.type) && (
          <p className="border-b bg-sunken px-4 py-2 text-ink-2 text-xs">
            Secret values are masked. A masked value that you do not edit is not changed.
          </p>
        )}
        {draft.text === undefined ? (
          draft.problem === undefined && <SkeletonRows rows={10} />
        ) : (
          <YamlEditor
            label={`YAML of ${address.name}`}
            value={draft.text}
            onChange={draft.change}
            schemaOf={schemaOf}
            onFindings={setFindings}
            onSave={() => blocked === undefined && ask(draft.save)}
          />
        )}
        <YamlFindings findings={findings} />
        {draft.problem !== undefined && <ProblemNotice title="Not saved" problem={draft.problem} />}
        {draft.theirs !== undefined && (
          <DraftConflict draft={draft} theirs={draft.theirs} onOverwrite={() => ask(draft.overwrite)} />
        )}
        <SaveBar draft={draft} blocked={blocked} onSave={() => ask(draft.save)} />
      </Card>
      {asked !== undefined && manager?.selfHeal === 'on' && live !== undefined && (
        <div>
          <RevertDialog
            manager={manager}
            object={live}
            changed={draft.changedFields()}
            onClose={() => setAsked(undefined)}
            onSave={() => void run(asked)}
          />
        </div>
      )}
      {asked !== undefined && manager?.selfHeal !== 'on' && (
        <EditedElsewhere
          type={address.type}
          draft={draft}
          tools={tools}
          onClose={() => setAsked(undefined)}
          onSave={() => void run(asked)}
        />
      )}
    </>
  );
}

function SaveBar({ draft, blocked, onSave }: { draft: ObjectDraft; blocked: string | undefined; onSave: () => void }) {
  return (
    <footer
      data-bottom-bar
      className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-surface px-4 py-2.5"
    >
      <span className="text-ink-2" role="status">
        {draft.isChanged ? 'Changed, not saved' : 'As stored in the cluster'}
      </span>
      <span className="ms-auto flex gap-2">
        <Button onClick={draft.discard} disabledReason={draft.isChanged ? undefined : NOTHING_CHANGED}>
          Discard
        </Button>
        <Button variant="primary" busy={draft.isSaving} disabledReason={blocked} onClick={onSave}>
          Save
        </Button>
      </span>
    </footer>
  );
}

const NOTHING_CHANGED = 'Nothing was changed.';

function whyNotSave(draft: ObjectDraft, findings: readonly YamlFinding[]): string | undefined {
  if (!draft.isChanged) return NOTHING_CHANGED;
  if (draft.theirs !== undefined) return 'Somebody else changed the object. Choose a version first.';
  return firstError(findings);
}
