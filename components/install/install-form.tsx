'use client';

import { useMemo, useState } from 'react';
import type { VersionRow } from '@/components/operators/catalogue-rows';
import { installPath, operatorPath } from '@/components/operators/operator-path';
import { draftProblems } from '@/components/parameters/parameter-draft';
import { ParameterForm } from '@/components/parameters/parameter-form';
import { SecretPlace } from '@/components/parameters/secret-place';
import { useNamespaceScope } from '@/components/shell/preferences';
import { LinkButton } from '@/components/ui/button';
import { Select } from '@/components/ui/input';
import { useRouter } from '@/components/ui/navigation';
import { PageHeader } from '@/components/ui/page-header';
import type { PackageDetail } from '@/lib/kudo/package/catalogue';
import { placeEdit } from '@/lib/kudo/sources/place-edit';
import { formModel } from '@/lib/kudo/view/form-model';
import { InstallBar } from './install-bar';
import {
  fieldsToFix,
  freeInstanceName,
  type InstallDraft,
  installValues,
  isNewNamespace,
  type NamesInUse,
  placeProblems,
  rightsToInstall,
} from './install-draft';
import { InstallPreviewView } from './install-preview';
import { KindsNotice } from './kinds-notice';
import { PlaceCard } from './place-card';
import { useInstall } from './use-install';
import { useKindsChoice } from './use-kinds-choice';
import { useTakenNames } from './use-taken-names';

const FIRST_NAMESPACE = 'demo';

/** One page for an install: where, the parameters, then every object that it creates, then the running plan. */
export function InstallForm({
  detail,
  versions,
  crdsMissing,
  knowsVersions,
}: {
  detail: PackageDetail;
  versions: readonly VersionRow[];
  crdsMissing: boolean;
  /** True when `versions` are those of every namespace in the person's scope. */
  knowsVersions: boolean;
}) {
  const taken = useTakenNames();
  const scope = useNamespaceScope();
  const [edited, setEdited] = useState<Partial<InstallDraft>>({});
  const [isPreview, setIsPreview] = useState(false);
  const groups = useMemo(() => formModel(detail.version), [detail.version]);
  const namespace = edited.namespace ?? scope ?? preferredNamespace(taken);
  const draft: InstallDraft = {
    namespace,
    instance: edited.instance ?? freeInstanceName(detail.name, namespace, taken),
    parameters: edited.parameters ?? {},
  };
  const isNew = isNewNamespace(namespace, taken);
  const isSeen = knowsVersions && (scope === undefined || scope === namespace);
  const there = versions.filter(({ namespaces }) => namespaces.includes(namespace));
  const existence = (isThere: boolean) => (isThere ? 'exists' : isSeen ? 'missing' : 'unknown');
  const toFix = fieldsToFix(groups, draft, taken);
  const [inline, setInline] = useState(false);
  const kinds = useKindsChoice(detail);
  const values = installValues(groups, draft.parameters);
  const wish = { namespace, instance: draft.instance, parameters: values, inline, ...kinds.wish };
  const { parameters } = wish;
  const [secret] = Object.keys(
    placeEdit({ metadata: { name: wish.instance } }, detail.version, { parameters }).secrets,
  );
  const { install, preview, problem, isBusy } = useInstall(detail, wish, { isPreview });
  const change = (part: Partial<InstallDraft>) => setEdited({ ...edited, ...part });
  return (
    <>
      <PageHeader
        title={`Install ${detail.name}`}
        crumbs={[{ label: 'Install', href: '/install' }, { label: detail.name }]}
        note={<VersionChoice detail={detail} versions={versions} />}
        actions={<LinkButton href={operatorPath(detail.name, detail.key)}>About this operator</LinkButton>}
      >
        {detail.description !== '' && <p className="max-w-[80ch] text-ink-2">{detail.description}</p>}
      </PageHeader>
      {isPreview ? (
        <InstallPreviewView preview={preview} wish={wish} detail={detail} isNewNamespace={isNew} />
      ) : (
        <div className="grid gap-4">
          <PlaceCard draft={draft} taken={taken} problems={placeProblems(draft, taken)} onChange={change} />
          <KindsNotice choice={kinds} />
          <section aria-label="Parameters">
            <ParameterForm
              isNew
              groups={groups}
              draft={draft.parameters}
              problems={draftProblems(groups, draft.parameters)}
              onChange={(name, value) => change({ parameters: withValue(draft.parameters, name, value) })}
            />
            {secret !== undefined && (
              <SecretPlace namespace={namespace} secret={secret} isInline={inline} onChange={setInline} />
            )}
          </section>
        </div>
      )}
      <InstallBar
        wish={wish}
        toFix={toFix}
        rights={rightsToInstall(namespace, {
          namespace: isNew ? 'missing' : 'exists',
          operator: existence(there.length > 0),
          operatorVersion: existence(there.some(({ key }) => key === detail.key)),
        })}
        crdsMissing={crdsMissing}
        kindsBlock={kinds.block}
        isPreview={isPreview}
        isBusy={isBusy}
        problem={problem}
        onPreview={() => setIsPreview(!isPreview)}
        onInstall={() => void install()}
      />
    </>
  );
}

function VersionChoice({ detail, versions }: { detail: PackageDetail; versions: readonly VersionRow[] }) {
  const router = useRouter();
  const offered = versions.filter(({ origin }) => origin !== undefined);
  if (offered.length < 2) return <code>{detail.key}</code>;
  return (
    <Select
      mono
      aria-label="Version"
      className="w-auto"
      value={detail.key}
      onChange={(event) => router.replace(installPath(detail.name, event.target.value))}
    >
      {offered.map(({ key }) => (
        <option key={key} value={key}>
          {key}
        </option>
      ))}
    </Select>
  );
}

function preferredNamespace({ namespaces }: NamesInUse): string {
  return namespaces?.has(FIRST_NAMESPACE) === true ? FIRST_NAMESPACE : 'default';
}

function withValue(
  draft: InstallDraft['parameters'],
  name: string,
  value: string | null | undefined,
): InstallDraft['parameters'] {
  const { [name]: _, ...rest } = draft;
  return value === undefined ? rest : { ...rest, [name]: value };
}
