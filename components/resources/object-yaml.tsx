'use client';

import { useMemo, useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { useBottomBar } from '@/components/ui/bottom-bar';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { SkeletonRows } from '@/components/ui/skeleton';
import { YamlEditor } from '@/components/ui/yaml-editor/yaml-editor';
import { isJsonObject } from '@/lib/json/json';
import { accessTo } from '@/lib/kube/access';
import type { KubeObject } from '@/lib/kube/object';
import type { FormProblem } from '@/lib/schema/form/form-problems';
import type { YamlFinding } from '@/lib/yaml/lint-yaml';
import { DraftConflict } from './draft-conflict';
import { FormOrReason } from './form/form-or-reason';
import { ManagedNotice } from './managed/managed-notice';
import { useManager } from './managed/use-manager';
import type { ObjectAddress } from './object-draft';
import { ProblemNotice } from './problem-notice';
import { SaveQuestions } from './save/save-questions';
import { useSaving } from './save/use-saving';
import { isMaskedKind } from './secret-mask';
import { useKinds } from './use-kinds';
import { type ObjectDraft, useObjectDraft } from './use-object-draft';
import { useSchemas } from './use-schemas';
import { firstError, YamlFindings } from './yaml-findings';

/**
 * An object as YAML or as form, to read and to edit: checked against the cluster's schema while typing, saved only over the version
 * that was read, after a dry run whose result is shown beside the stored version. After a change by somebody else both versions are shown. A change that self-heal or a tool outside reverts is named before it is saved. Secret
 * values are masked and stay as they are.
 *
 * @param live the object as the event stream shows it
 */
export function ObjectYaml({
  address,
  live,
  view = 'yaml',
}: {
  address: ObjectAddress;
  live: KubeObject | undefined;
  /** Both views edit the same draft. */
  view?: 'form' | 'yaml';
}) {
  const draft = useObjectDraft(address, live);
  const manager = useManager(live);
  const apiVersion = live?.apiVersion;
  const schemaOf = useSchemas(useMemo(() => (apiVersion === undefined ? [] : [apiVersion]), [apiVersion]));
  const [findings, setFindings] = useState<readonly YamlFinding[]>([]);
  const { block } = useAccess(accessTo('update', address.type, address.namespace));
  const saving = useSaving({ address, live, draft, manager });
  const kinds = useKinds();
  const [problems, setProblems] = useState<readonly FormProblem[]>(NO_PROBLEMS);
  const wrong = view === 'form' ? problems[0]?.message : firstError(findings);
  const blocked = whyNotSave(draft, wrong) ?? block;
  return (
    <>
      {manager !== undefined && <ManagedNotice manager={manager} what="this object" />}
      <Card className="min-w-0">
        {isMaskedKind(address.type) && (
          <p className="border-b bg-sunken px-4 py-2 text-ink-2 text-xs">
            Secret values are masked. A masked value that you do not edit is not changed.
          </p>
        )}
        {draft.text === undefined && draft.problem === undefined && <SkeletonRows rows={10} />}
        {draft.text !== undefined && view === 'form' && (
          <FormOrReason
            apiVersion={live?.apiVersion ?? ''}
            kind={live?.kind ?? ''}
            text={draft.text}
            onChange={draft.change}
            old={isJsonObject(draft.base) ? draft.base : undefined}
            readOnly={block}
            causes={draft.problem?.causes ?? NO_PROBLEMS}
            onProblems={setProblems}
          />
        )}
        {draft.text !== undefined && view === 'yaml' && (
          <YamlEditor
            label={`YAML of ${address.name}`}
            value={draft.text}
            onChange={draft.change}
            schemaOf={schemaOf}
            onFindings={setFindings}
            kinds={kinds}
            old={isJsonObject(draft.base) ? draft.base : undefined}
            onSave={() => blocked === undefined && saving.open('save')}
          />
        )}
        {view === 'yaml' && <YamlFindings findings={findings} />}
        {draft.problem !== undefined && <ProblemNotice title="Not saved" problem={draft.problem} />}
        {draft.theirs !== undefined && (
          <DraftConflict draft={draft} theirs={draft.theirs} onOverwrite={() => saving.open('overwrite')} />
        )}
        <SaveBar draft={draft} blocked={blocked} onSave={() => saving.open('save')} />
      </Card>
      <SaveQuestions saving={saving} />
    </>
  );
}

function SaveBar({ draft, blocked, onSave }: { draft: ObjectDraft; blocked: string | undefined; onSave: () => void }) {
  useBottomBar();
  return (
    <footer className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-surface px-4 py-2.5">
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

const NO_PROBLEMS: readonly FormProblem[] = [];
const NOTHING_CHANGED = 'Nothing was changed.';

function whyNotSave(draft: ObjectDraft, wrong: string | undefined): string | undefined {
  if (!draft.isChanged) return NOTHING_CHANGED;
  if (draft.theirs !== undefined) return 'Somebody else changed the object. Choose a version first.';
  return wrong;
}
