'use client';

import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNamespaceScope } from '@/components/shell/preferences';
import { Button, LinkButton } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { SearchInput } from '@/components/ui/search-input';
import { type KindSummary, resourceName } from '@/lib/kube/kinds';
import { UnavailableVersions } from './api-service/unavailable-versions';
import { filterKinds, type KindSection, sectionsOf } from './kind-sections';
import { kindHref } from './resource-path';
import { type ListedKinds, useKindCounts, useKnownKinds } from './use-kinds';

type Counts = Readonly<Record<string, number>> | undefined;

/** Every kind of the cluster, custom ones first, with how many there are. */
export function KindsPage({ initial }: { initial: ListedKinds }) {
  const { kinds, unavailable } = useKnownKinds(initial) ?? initial;
  const scope = useNamespaceScope();
  const counts = useKindCounts(scope);
  const [filter, setFilter] = useState('');
  const sections = useMemo(() => sectionsOf(filterKinds(kinds, filter)), [kinds, filter]);
  const custom = sections.filter((section) => section.custom);
  const builtIn = sections.filter((section) => !section.custom);
  return (
    <>
      <PageHeader
        title="Resources"
        note={`${kinds.length} kinds${scope === undefined ? '' : `, counted in ${scope}`}`}
        actions={
          <LinkButton href="/resources/create" variant="primary" icon={<Plus size={16} aria-hidden="true" />}>
            Create from YAML
          </LinkButton>
        }
      >
        <SearchInput
          label="Find a kind"
          value={filter}
          onChange={setFilter}
          placeholder="Find a kind: deploy, kudo.dev"
        />
      </PageHeader>
      <UnavailableVersions versions={unavailable} />
      {sections.length === 0 && (
        <Card>
          <EmptyState title="No kind matches" action={<Button onClick={() => setFilter('')}>Clear the filter</Button>}>
            No kind, plural, group or short name contains “{filter}”.
          </EmptyState>
        </Card>
      )}
      <Sections title="Custom resources" sections={custom} counts={counts} />
      <Sections title="Kubernetes" sections={builtIn} counts={counts} />
    </>
  );
}

function Sections({ title, sections, counts }: { title: string; sections: readonly KindSection[]; counts: Counts }) {
  if (sections.length === 0) return null;
  // One group alone takes the whole width.
  const isSingle = sections.length === 1;
  return (
    <section aria-label={title} className="mb-6">
      <h2 className="mb-2 font-medium text-ink-2 text-xs">{title}</h2>
      <div className={isSingle ? undefined : 'columns-1 gap-4 sm:columns-2 lg:columns-3'}>
        {sections.map((section) => (
          <div key={section.title} className="mb-4 break-inside-avoid">
            <Card title={section.title}>
              <ul className={isSingle ? 'gap-4 py-1 sm:columns-2 lg:columns-3' : 'py-1'}>
                {section.kinds.map((kind) => (
                  <KindLine key={resourceName(kind)} kind={kind} counts={counts} />
                ))}
              </ul>
            </Card>
          </div>
        ))}
      </div>
    </section>
  );
}

function KindLine({ kind, counts }: { kind: KindSummary; counts: Counts }) {
  const count = counts?.[resourceName(kind)];
  return (
    <li>
      <Link
        href={kindHref(kind)}
        prefetch={false}
        className="flex min-h-8 items-center gap-2 px-4 py-1 hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span
          className={`shrink-0 font-medium ${count === 0 ? 'text-ink-2' : ''}`}
          title={`${resourceName(kind)}, ${kind.version}`}
        >
          {kind.kind}
        </span>
        <span className="min-w-0 truncate text-2xs text-ink-3">{kindNote(kind)}</span>
        <span className={`ms-auto min-w-6 text-end ${count === 0 ? 'text-ink-3' : 'text-ink-2'}`}>
          {counts === undefined ? '' : (count ?? <span title="You may not list these">–</span>)}
        </span>
      </Link>
    </li>
  );
}

/** What distinguishes kinds of the same name: the plural, the group, or a version other than v1. */
function kindNote(kind: KindSummary): string {
  if (kind.custom) return kind.resource;
  const notes = [
    kind.group === 'events.k8s.io' ? kind.group : '',
    kind.group !== '' && kind.version !== 'v1' ? kind.version : '',
    kind.namespaced ? '' : 'cluster',
  ];
  return notes.filter(Boolean).join(' · ');
}
