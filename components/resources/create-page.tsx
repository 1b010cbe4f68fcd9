'use client';

import { useNamespaceScope } from '@/components/shell/preferences';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { YamlEditor } from '@/components/ui/yaml-editor/yaml-editor';
import type { KindSummary } from '@/lib/kube/kinds';
import { CreateOutcomes } from './create-outcomes';
import { kindHref } from './resource-path';
import { type CreateDraft, useCreateDraft } from './use-create-draft';
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
  const draft = useCreateDraft(kind, home, initialKinds);
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
        <YamlEditor
          label="YAML of the new objects"
          value={draft.text}
          onChange={draft.change}
          schemaOf={draft.schemaOf}
          onFindings={draft.setFindings}
        />
        <YamlFindings findings={draft.findings} />
        <CreateOutcomes outcomes={draft.outcomes} />
        <CreateBar draft={draft} namespace={home} />
      </Card>
    </>
  );
}

function CreateBar({ draft, namespace }: { draft: CreateDraft; namespace: string }) {
  const { objects, running, blocked, run } = draft;
  return (
    <footer
      data-bottom-bar
      className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-surface px-4 py-2.5"
    >
      <span className="text-ink-2">
        {objects.length} {objects.length === 1 ? 'object' : 'objects'}. Objects without a namespace are created in{' '}
        <code>{namespace}</code>.
      </span>
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
          Create
        </Button>
      </span>
    </footer>
  );
}
