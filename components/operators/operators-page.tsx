'use client';

import { useState } from 'react';
import { Button, LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Chip } from '@/components/ui/chip';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { SearchInput } from '@/components/ui/search-input';
import { Tag } from '@/components/ui/tag';
import { needsUpgrade, type ReleaseMark, releaseMark } from '@/lib/kudo/view/release-marks';
import { filterOperators, type OperatorRow, type VersionRow } from './catalogue-rows';
import { CrdsMissing } from './crds-missing';
import { forkPath, installPath, operatorPath, upgradePath } from './operator-path';
import { ReleaseTags } from './release-tags';
import { RefusedNotice, type RefusedPackage, UploadPackage } from './upload-package';
import { type Catalogue, useCatalogue, useOperators } from './use-catalogue';

const NO_MARK: ReleaseMark = { outdated: 0, withdrawn: 0, advisories: [] };

/** The catalogue: what can be installed, what is in the cluster, how many instances run. */
export function OperatorsPage({ initial }: { initial: Catalogue }) {
  const catalogue = useCatalogue(initial);
  const view = useOperators(catalogue);
  const { rows, crdsMissing } = view;
  const [filter, setFilter] = useState('');
  const [needsOnly, setNeedsOnly] = useState(false);
  const marks = new Map(rows.map(({ name, versions }) => [name, releaseMark(name, versions, view)]));
  const needy = rows.filter(({ name }) => needsUpgrade(marks.get(name) ?? NO_MARK)).length;
  const [refused, setRefused] = useState<RefusedPackage>();
  const shown = filterOperators(rows, filter).filter(
    ({ name }) => !needsOnly || needsUpgrade(marks.get(name) ?? NO_MARK),
  );
  return (
    <>
      <PageHeader
        title="Operators"
        note={`${rows.length} in the catalogue and the cluster`}
        actions={<UploadPackage onRefused={setRefused} />}
      >
        <div className="flex flex-wrap items-center gap-2">
          <SearchInput label="Find an operator" value={filter} onChange={setFilter} />
          {(needy > 0 || needsOnly) && (
            <Chip pressed={needsOnly} onClick={() => setNeedsOnly(!needsOnly)}>
              Outdated, withdrawn or with an advisory ({needy})
            </Chip>
          )}
        </div>
      </PageHeader>
      {refused !== undefined && <RefusedNotice refused={refused} onClose={() => setRefused(undefined)} />}
      {crdsMissing && <CrdsMissing />}
      {catalogue.broken.length > 0 && <BrokenFiles broken={catalogue.broken} />}
      <Card>
        {shown.length === 0 ? (
          <NoOperators
            filter={filter}
            isNarrowed={needsOnly}
            onClear={() => {
              setFilter('');
              setNeedsOnly(false);
            }}
          />
        ) : (
          <ul className="divide-y divide-line">
            {shown.map((row) => (
              <OperatorLine key={row.name} row={row} mark={marks.get(row.name) ?? NO_MARK} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
}

function OperatorLine({ row, mark }: { row: OperatorRow; mark: ReleaseMark }) {
  const [best] = row.versions;
  if (best === undefined) return null;
  const installable = row.versions.find(({ origin }) => origin !== undefined);
  return (
    <li className="grid items-center gap-x-6 gap-y-1.5 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <Link className="link font-semibold text-md" href={operatorPath(row.name, best.key)}>
            {row.name}
          </Link>
          <span className="text-ink-3">
            {row.instanceCount === 0
              ? 'no instances'
              : `${row.instanceCount} ${row.instanceCount === 1 ? 'instance' : 'instances'}`}
          </span>
        </div>
        {needsUpgrade(mark) && (
          <Link className="my-0.5 inline-flex flex-wrap gap-1.5" href={upgradePath(row.name)}>
            <ReleaseTags mark={mark} />
          </Link>
        )}
        {row.description !== '' && <p className="line-clamp-2 max-w-[70ch] text-ink-2">{row.description}</p>}
      </div>
      <ul
        className="flex flex-wrap gap-1.5 max-md:col-span-full sm:max-md:order-last"
        aria-label={`Versions of ${row.name}`}
      >
        {row.versions.slice(0, 6).map((version) => (
          <li key={version.key}>
            <VersionTag operator={row.name} version={version} />
          </li>
        ))}
        {row.versions.length > 6 && <li className="text-ink-3">and {row.versions.length - 6} more</li>}
      </ul>
      {installable === undefined ? (
        <span className="text-ink-3 md:text-end">only in the cluster</span>
      ) : (
        <span className="flex gap-2 justify-self-start">
          <LinkButton
            href={forkPath(row.name, installable.key)}
            variant="quiet"
            prefetch={false}
            aria-label={`Fork ${row.name}`}
          >
            Fork
          </LinkButton>
          <LinkButton href={installPath(row.name, installable.key)}>Install</LinkButton>
        </span>
      )}
    </li>
  );
}

function VersionTag({ operator, version }: { operator: string; version: VersionRow }) {
  const where =
    version.namespaces.length === 0
      ? undefined
      : `in ${version.namespaces.slice(0, 3).join(', ')}${version.namespaces.length > 3 ? ' …' : ''}`;
  return (
    <Link
      href={operatorPath(operator, version.key)}
      className="inline-flex items-center gap-1.5 rounded-sm border bg-surface px-2 py-0.5 text-xs hover:border-ink-3"
    >
      <span className="mono whitespace-nowrap">{version.appVersion || version.operatorVersion}</span>
      {version.origin === 'uploaded' && <Tag>uploaded</Tag>}
      {where !== undefined && <span className="text-ok">{where}</span>}
    </Link>
  );
}

interface NoOperatorsProps {
  filter: string;
  isNarrowed: boolean;
  onClear: () => void;
}

function NoOperators({ filter, isNarrowed, onClear }: NoOperatorsProps) {
  if (isNarrowed && filter === '') {
    return (
      <EmptyState title="Every operator is current" action={<Button onClick={onClear}>Clear the filter</Button>}>
        No Instance has an outdated or withdrawn version, or one with an advisory.
      </EmptyState>
    );
  }
  if (filter !== '') {
    return (
      <EmptyState title="No operator matches" action={<Button onClick={onClear}>Clear the filter</Button>}>
        No name or description contains “{filter}”.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="The catalogue is empty" guide="repositories">
      Upload a package: the .tgz file that bravo package create makes of an operator’s folder.
    </EmptyState>
  );
}

function BrokenFiles({ broken }: { broken: Catalogue['broken'] }) {
  return (
    <Notice tone="wait" title="Some files in the catalogue are not operator packages" className="mb-4">
      <ul>
        {broken.map(({ place, message }) => (
          <li key={place}>
            <code>{place}</code> {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
