'use client';

import { useState } from 'react';
import { SafeLink } from '@/components/operators/safe-link';
import { LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { EmptyState } from '@/components/ui/empty-state';
import { Select } from '@/components/ui/input';
import { KeyValues } from '@/components/ui/key-values';
import { Link } from '@/components/ui/link';
import { useRouter } from '@/components/ui/navigation';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import type { PackageDetail } from '@/lib/kudo/package/catalogue';
import { versionKeyOf } from '@/lib/kudo/package/catalogue';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { instancesOfVersion, type VersionRow } from './catalogue-rows';
import { Documentation } from './documentation';
import { KindsCard } from './kinds-card';
import { forkPath, installPath, operatorPath, upgradePath } from './operator-path';
import { ParameterTable } from './parameter-table';
import { PlanDrawings } from './plan-drawing';
import { TaskList } from './task-list';
import { type Catalogue, useCatalogue, useOperators } from './use-catalogue';

const PARTS = ['Plans', 'Parameters', 'Tasks and templates', 'Documentation'] as const;

/** One version of an operator: its plans, parameters, tasks, and the instances that run it. */
export function OperatorPage({
  name,
  versionKey,
  detail,
  catalogue: initial,
}: {
  name: string;
  versionKey: string;
  /** Undefined when no package of that version is in the catalogue; then it may still be in the cluster. */
  detail: PackageDetail | undefined;
  catalogue: Catalogue;
}) {
  const { rows, versions, instances } = useOperators(useCatalogue(initial));
  const [part, setPart] = useState<(typeof PARTS)[number]>('Plans');
  const own = versions.filter((each) => each.spec?.operator?.name === name && versionKeyOf(each) === versionKey);
  const version = detail?.version ?? own[0];
  const all = rows.find((row) => row.name === name)?.versions ?? [];
  if (version === undefined) return <UnknownVersion name={name} versionKey={versionKey} />;
  return (
    <>
      <PageHeader
        title={name}
        crumbs={[{ label: 'Operators', href: '/operators' }, { label: name }]}
        note={<VersionChoice name={name} current={versionKey} all={all} />}
        actions={
          <>
            <LinkButton href={upgradePath(name)}>Upgrade…</LinkButton>
            {detail !== undefined && (
              <>
                <LinkButton href={forkPath(name, versionKey)} prefetch={false}>
                  Fork
                </LinkButton>
                <LinkButton href={installPath(name, versionKey)} variant="primary">
                  Install
                </LinkButton>
              </>
            )}
          </>
        }
      >
        {detail !== undefined && detail.description !== '' && (
          <p className="max-w-[80ch] text-ink-2">{detail.description}</p>
        )}
      </PageHeader>
      {detail !== undefined && detail.warnings.length > 0 && <Warnings warnings={detail.warnings} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <div className="grid min-w-0 gap-3">
          <fieldset className="flex flex-wrap gap-2" aria-label="Part">
            {PARTS.filter((each) => each !== 'Documentation' || detail !== undefined).map((each) => (
              <Chip key={each} pressed={part === each} onClick={() => setPart(each)}>
                {each}
              </Chip>
            ))}
          </fieldset>
          {part === 'Plans' && <PlanDrawings version={version} />}
          {part === 'Parameters' && <ParameterTable version={version} />}
          {part === 'Tasks and templates' && <TaskList version={version} />}
          {part === 'Documentation' && detail !== undefined && <Documentation text={detail.documentation} />}
        </div>
        <div className="grid gap-4">
          <KindsCard version={version} />
          <InstanceCard instances={instancesOfVersion(instances, versions, name, versionKey)} />
          <AboutCard
            version={version}
            detail={detail}
            namespaces={own.map(({ metadata }) => metadata.namespace ?? '')}
          />
        </div>
      </div>
    </>
  );
}

function VersionChoice({ name, current, all }: { name: string; current: string; all: readonly VersionRow[] }) {
  const router = useRouter();
  if (all.length < 2) return <code>{current}</code>;
  return (
    <Select
      mono
      aria-label="Version"
      className="w-auto"
      value={current}
      onChange={(event) => router.push(operatorPath(name, event.target.value))}
    >
      {all.map(({ key }) => (
        <option key={key} value={key}>
          {key}
        </option>
      ))}
    </Select>
  );
}

function InstanceCard({ instances }: { instances: readonly Instance[] }) {
  return (
    <Card title="Instances" note={String(instances.length)}>
      {instances.length === 0 && <p className="px-4 py-3 text-ink-3">No instance runs this version.</p>}
      <ul className="py-1 empty:hidden">
        {instances.map(({ metadata: { name = '', namespace = '' } }) => (
          <li key={`${namespace}/${name}`} className="flex min-h-8 items-center gap-2 px-4 py-1">
            <Link className="link min-w-0 truncate font-semibold" href={instancePath(namespace, name)}>
              {name}
            </Link>
            <span className="ms-auto text-ink-2">{namespace}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function AboutCard({
  version,
  detail,
  namespaces,
}: {
  version: OperatorVersion;
  detail: PackageDetail | undefined;
  namespaces: readonly string[];
}) {
  const { appVersion, version: operatorVersion } = version.spec ?? {};
  const { kudoVersion, kubernetesVersion } = detail?.operator.spec ?? {};
  return (
    <Card title="About" padded>
      <KeyValues
        entries={[
          [
            'App version',
            appVersion === undefined || appVersion === '' ? undefined : <code key="app">{appVersion}</code>,
          ],
          ['Operator version', <code key="version">{operatorVersion}</code>],
          ['From', detail === undefined ? 'the cluster only' : `${detail.origin} package`],
          ['In namespaces', namespaces.length === 0 ? 'none yet' : namespaces.join(', ')],
          [
            'Also installs',
            detail === undefined || detail.dependencies.length === 0 ? undefined : detail.dependencies.join(', '),
          ],
          [
            'Kubernetes',
            kubernetesVersion === undefined || kubernetesVersion === '' ? undefined : `${kubernetesVersion} or newer`,
          ],
          ['KUDO', kudoVersion === undefined || kudoVersion === '' ? undefined : `${kudoVersion} or newer`],
          [
            'Maintainers',
            detail === undefined || detail.maintainers.length === 0 ? undefined : detail.maintainers.join(', '),
          ],
          ['Home', detail === undefined || detail.url === '' ? undefined : <SafeLink key="url" href={detail.url} />],
        ]}
      />
    </Card>
  );
}

function Warnings({ warnings }: { warnings: PackageDetail['warnings'] }) {
  return (
    <Notice tone="wait" title={`${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`} className="mb-4">
      <details>
        <summary>Show</summary>
        <ul className="mt-1 grid gap-0.5">
          {warnings.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      </details>
    </Notice>
  );
}

function UnknownVersion({ name, versionKey }: { name: string; versionKey: string }) {
  return (
    <Card>
      <EmptyState
        heading
        title={`Version ${versionKey} of operator ${name} does not exist`}
        action={<LinkButton href="/operators">All operators</LinkButton>}
      >
        Neither the catalogue nor the cluster has this version.
      </EmptyState>
    </Card>
  );
}
