'use client';

import { useMemo, useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Notice } from '@/components/ui/notice';
import { SkeletonRows } from '@/components/ui/skeleton';
import { showToast } from '@/components/ui/toast';
import { YamlEditor } from '@/components/ui/yaml-editor/yaml-editor';
import { accessTo } from '@/lib/kube/access';
import type { KubeObject } from '@/lib/kube/object';
import type { YamlFinding } from '@/lib/yaml/lint-yaml';
import { draftText, type ObjectAddress } from './object-draft';
import { ProblemNotice } from './problem-notice';
import { isMaskedKind } from './secret-mask';
import { TextVersions } from './text-versions';
import { type ObjectDraft, useObjectDraft } from './use-object-draft';
import { useSchemas } from './use-schemas';

/**
 * An object as YAML, to read and to edit: checked against the cluster's schema while typing, saved only over the version
 * that was read. When somebody else was faster, both versions are shown. Secret values are masked and stay as they are.
 *
 * @param live the object as the event stream shows it
 */
export function ObjectYaml({ address, live }: { address: ObjectAddress; live: KubeObject | undefined }) {
  const draft = useObjectDraft(address, live);
  const apiVersion = live?.apiVersion;
  const schemaOf = useSchemas(useMemo(() => (apiVersion === undefined ? [] : [apiVersion]), [apiVersion]));
  const [findings, setFindings] = useState<readonly YamlFinding[]>([]);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const { block } = useAccess(accessTo('update', address.type, address.namespace));
  const save = async () => {
    if (await draft.save()) showToast({ tone: 'ok', title: `Saved ${address.name}` });
  };
  return (
    <Card className="min-w-0">
      {isMaskedKind(address.type) && (
        <p className="border-b bg-sunken px-4 py-2 text-ink-2 text-xs">
          Secret values are masked. A masked value that you leave alone stays as it is.
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
          onSave={() => void save()}
        />
      )}
      {draft.problem !== undefined && <ProblemNotice title="Not saved" problem={draft.problem} />}
      {draft.theirs !== undefined && <Conflict draft={draft} theirs={draft.theirs} />}
      <footer
        data-bottom-bar
        className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-surface px-4 py-2.5"
      >
        <span className="text-ink-2" role="status">
          {errors > 0
            ? `${errors} ${errors === 1 ? 'mistake' : 'mistakes'} to mend`
            : draft.isChanged
              ? 'Changed, not saved'
              : 'As stored in the cluster'}
        </span>
        <span className="ms-auto flex gap-2">
          <Button onClick={draft.discard} disabledReason={draft.isChanged ? undefined : 'Nothing was changed.'}>
            Discard
          </Button>
          <Button
            variant="primary"
            busy={draft.isSaving}
            disabledReason={whyNotSave(draft, errors) ?? block}
            onClick={() => void save()}
          >
            Save
          </Button>
        </span>
      </footer>
    </Card>
  );
}

function whyNotSave(draft: ObjectDraft, errors: number): string | undefined {
  if (!draft.isChanged) return 'Nothing was changed.';
  if (draft.theirs !== undefined) return 'Somebody else changed it: choose a version first.';
  return errors > 0 ? 'Mend the marked mistakes first.' : undefined;
}

function Conflict({ draft, theirs }: { draft: ObjectDraft; theirs: KubeObject }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="grid gap-3 border-t p-4">
      <Notice
        tone="wait"
        alert
        title="Somebody else changed this object after you began"
        action={
          <span className="flex flex-wrap gap-2">
            <Button size="small" onClick={() => setIsShown(!isShown)}>
              {isShown ? 'Hide versions' : 'Show both versions'}
            </Button>
            <Button size="small" onClick={draft.discard}>
              Take theirs
            </Button>
            <Button size="small" variant="danger" busy={draft.isSaving} onClick={() => void draft.overwrite()}>
              Save mine over it
            </Button>
          </span>
        }
      >
        Nothing is lost: your text is still here.
      </Notice>
      {isShown && (
        <TextVersions
          left={draftText(theirs)}
          right={draft.text ?? ''}
          leftTitle={`In the cluster, version ${theirs.metadata.resourceVersion}`}
          rightTitle="Yours"
        />
      )}
    </div>
  );
}
