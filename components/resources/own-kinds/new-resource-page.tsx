'use client';

import { useState } from 'react';
import { ParameterForm } from '@/components/parameters/parameter-form';
import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { SkeletonRows } from '@/components/ui/skeleton';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import { type KindSummary, resourceName } from '@/lib/kube/kinds';
import { CONFIRM_ANNOTATION } from '@/lib/kudo/names';
import { createHref, kindHref } from '../resource-path';
import { NewResourceBar } from './new-resource-bar';
import { NewResourcePlace } from './new-resource-place';
import { ResourceNotices } from './resource-notices';
import { ResourcePreviewView } from './resource-preview-view';
import { useCreateResource, useResourcePreview } from './use-new-resource';
import { type NewResource, type NewResourceProblems, useResourceDraft } from './use-resource-draft';

/** Creates a resource of a kind that an operator brings, in the form of the operator: where, the fields, what comes of it. */
export function NewResourcePage({
  kind,
  initialNamespace,
}: {
  kind: KindSummary;
  initialNamespace: string | undefined;
}) {
  const resource = useResourceDraft(kind, initialNamespace);
  const [isPreview, setIsPreview] = useState(false);
  const { own, draft, object, typed } = resource;
  const isComplete = typed.size === 0 && draft.name !== '' && draft.namespace !== '';
  const { preview, error } = useResourcePreview(kind, object, isComplete);
  const { create, isBusy, problem, forget } = useCreateResource(kind);
  const problems = resource.problemsWith([...(preview?.causes ?? []), ...(problem?.causes ?? [])]);
  // A run that deletes or replaces data names what it destroys.
  const confirmation = preview?.run?.confirmation;
  const guard = useDestroyGuard(preview?.instance ?? '', confirmation !== undefined);
  const annotations = confirmation === undefined ? {} : { [CONFIRM_ANNOTATION]: confirmation };
  return (
    <>
      <PageHeader
        title={`New ${kind.kind}`}
        crumbs={[
          { label: 'Resources', href: '/resources' },
          { label: resourceName(kind), href: kindHref(kind) },
          { label: 'new' },
        ]}
        note={own.behind === undefined ? undefined : <code>{own.behind.operatorVersion.metadata.name}</code>}
        actions={<LinkButton href={createHref(kind, draft.namespace)}>Create from YAML</LinkButton>}
      />
      <div className="grid gap-4">
        <ResourceNotices kind={kind.kind} own={own} preview={preview} others={problems.others} error={error} />
        {isPreview ? (
          <ResourcePreviewView object={object} preview={preview} />
        ) : (
          <ResourceForm kind={kind.kind} resource={resource} problems={problems} onChange={forget} />
        )}
      </div>
      <NewResourceBar
        kind={kind}
        resource={resource}
        preview={preview}
        problems={problems}
        problem={problem}
        guard={confirmation === undefined ? undefined : guard}
        isPreview={isPreview}
        isBusy={isBusy}
        onPreview={() => setIsPreview(!isPreview)}
        onCreate={() => create({ ...object, metadata: { ...object.metadata, annotations } })}
      />
    </>
  );
}

function ResourceForm({
  kind,
  resource: { draft, form, own, isReady, change },
  problems,
  onChange,
}: {
  kind: string;
  resource: NewResource;
  problems: NewResourceProblems;
  /** What was said of the former draft is forgotten. */
  onChange: () => void;
}) {
  const isRun = own.behind?.kind.run !== undefined;
  const edit: NewResource['change'] = (part) => {
    onChange();
    change(part);
  };
  return (
    <>
      <NewResourcePlace
        draft={draft}
        nameHint={isRun ? 'Each resource is one run.' : 'The Instance has the same name.'}
        nameProblem={problems.ofName}
        onChange={edit}
      />
      <section aria-label={`Fields of ${kind}`}>
        {isReady ? (
          <ParameterForm
            isNew
            groups={form.groups}
            draft={draft.spec}
            problems={problems.byField}
            onChange={(field, value) => {
              const { [field]: _, ...rest } = draft.spec;
              edit({ spec: value === undefined ? rest : { ...rest, [field]: value } });
            }}
          />
        ) : (
          <Card>
            <SkeletonRows />
          </Card>
        )}
        {form.others.length > 0 && (
          <p className="mt-3 px-4 text-ink-2">
            The YAML has more fields: {form.others.map((path) => `spec.${path}`).join(', ')}.
          </p>
        )}
      </section>
    </>
  );
}
