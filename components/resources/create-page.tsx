'use client';

import { useNamespaceScope } from '@/components/shell/preferences';
import { useBottomBar } from '@/components/ui/bottom-bar';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { ViewTabs } from '@/components/ui/view-tabs';
import { YamlEditor } from '@/components/ui/yaml-editor/yaml-editor';
import type { KindSummary } from '@/lib/kube/kinds';
import { DocumentOutcomes } from './apply/document-outcomes';
import { SendOptionBoxes } from './apply/send-option-boxes';
import { CreateForm } from './create-form';
import { kindHref } from './resource-path';
import { type CreateDraft, useCreateDraft } from './use-create-draft';
import { useUrlState } from './use-url-state';
import { YamlFindings } from './yaml-findings';

/** Creates one or more objects from YAML: checked by the schemas while typing, by a dry run when asked, then created. */
export function CreatePage({
  kind,
  namespace,
  initialKinds,
}: {
  /** The kind that the page was opened for. */
  kind: KindSummary | undefined;
  namespace: string | undefined;
  initialKinds: readonly KindSummary[];
}) {
  const scope = useNamespaceScope();
  const home = namespace ?? scope ?? 'default';
  const [chosen, setView] = useUrlState('view');
  // Who comes for a kind fills in its form; who comes with a text pastes it.
  const view = chosen === 'yaml' || chosen === 'form' ? chosen : kind === undefined ? 'yaml' : 'form';
  const draft = useCreateDraft(kind, home, { initialKinds, isForm: view === 'form' });
  return (
    <>
      <PageHeader
        title={kind === undefined ? 'Create from YAML' : `Create ${kind.kind}`}
        crumbs={[
          { label: 'Resources', href: '/resources' },
          ...(kind === undefined ? [] : [{ label: kind.resource, href: kindHref(kind) }]),
          { label: 'create' },
        ]}
        note="One or more objects, separated by ---"
      />
      <Card>
        <ViewTabs label="Views of the new objects" tabs={VIEWS} chosen={view} onChoose={setView}>
          {view === 'form' ? <CreateForm draft={draft} /> : <CreateYaml draft={draft} />}
        </ViewTabs>
        <DocumentOutcomes outcomes={draft.outcomes} answers={draft.options.answers} onAnswer={draft.answer} />
        <CreateBar draft={draft} namespace={home} />
      </Card>
    </>
  );
}

const VIEWS = [
  { key: 'form', label: 'Form' },
  { key: 'yaml', label: 'YAML' },
];

function CreateYaml({ draft }: { draft: CreateDraft }) {
  return (
    <>
      <YamlEditor
        label="YAML of the new objects"
        value={draft.text}
        onChange={draft.change}
        schemaOf={draft.schemaOf}
        kinds={draft.kinds}
        onFindings={draft.setFindings}
      />
      <YamlFindings findings={draft.findings} />
    </>
  );
}

function CreateBar({ draft, namespace }: { draft: CreateDraft; namespace: string }) {
  const { objects, running, blocked, run } = draft;
  useBottomBar();
  return (
    <footer className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-surface px-4 py-2.5">
      <span className="text-ink-2">
        {objects.length} {objects.length === 1 ? 'object' : 'objects'}. Objects without a namespace are created in{' '}
        <code>{namespace}</code>.
      </span>
      <SendOptionBoxes options={draft.options} isSeveral={objects.length > 1} onChange={draft.setOptions} />
      <span className="ms-auto flex gap-2">
        <Button busy={running === 'check'} disabledReason={blocked} onClick={() => void run('check')}>
          Check
        </Button>
        <Button
          variant="primary"
          busy={running === 'create'}
          disabledReason={blocked}
          onClick={() => void run('create')}
        >
          {draft.options.how === 'apply' ? 'Apply' : 'Create'}
        </Button>
      </span>
    </footer>
  );
}
