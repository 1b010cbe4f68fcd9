'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { SearchInput } from '@/components/ui/search-input';
import { type FoundVersion, findVersions } from './repository-rows';
import type { RepositoryRow } from './use-repositories';
import { RepositoryVersionDialog } from './version-dialog';

/** Rows that are drawn at once; the search narrows the rest. */
const MOST = 200;

/** Every version of every repository, and a search across them. */
export function FoundPackages({ rows }: { rows: readonly RepositoryRow[] }) {
  const [text, setText] = useState('');
  const [opened, setOpened] = useState<FoundVersion>();
  const found = findVersions(rows, text);
  return (
    <>
      <section className="card overflow-clip" aria-label="Packages">
        <div className="flex flex-wrap items-center gap-3 border-b px-4 py-2.5">
          <h2 className="font-semibold">Packages</h2>
          <SearchInput label="Search all repositories" value={text} onChange={setText} className="ms-auto" />
        </div>
        {found.length === 0 ? (
          <EmptyState title={text === '' ? 'No packages yet' : 'No package matches'}>
            {text === '' ? 'No repository has answered with packages.' : 'Search by a part of a name or description.'}
          </EmptyState>
        ) : (
          <VersionTable found={found.slice(0, MOST)} onOpen={setOpened} />
        )}
        {found.length > MOST && (
          <p className="px-4 py-2 text-ink-2 text-xs">{found.length - MOST} more. Search to find them.</p>
        )}
      </section>
      <RepositoryVersionDialog version={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}

function VersionTable({ found, onOpen }: { found: readonly FoundVersion[]; onOpen: (version: FoundVersion) => void }) {
  return (
    <table className="table table-fixed">
      <caption className="sr-only">Packages of all repositories</caption>
      <thead>
        <tr>
          <th scope="col">Package</th>
          <th scope="col" className="w-28">
            App version
          </th>
          <th scope="col" className="w-28 max-sm:hidden">
            Operator
          </th>
          <th scope="col" className="w-40 max-md:hidden">
            Repository
          </th>
          <th scope="col" className="w-24">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {found.map((version) => (
          <tr
            key={[version.repository, version.name, version.appVersion, version.operatorVersion].join(' ')}
            data-package={`${version.repository}/${version.name}/${version.operatorVersion}`}
          >
            <td>
              <span className="font-semibold">{version.name}</span>{' '}
              <span className="text-ink-2 sm:hidden">{version.operatorVersion}</span>
              <div className="truncate text-ink-2 text-xs">{version.description}</div>
            </td>
            <td>{version.appVersion || '—'}</td>
            <td className="max-sm:hidden">{version.operatorVersion}</td>
            <td className="truncate max-md:hidden">{version.repository}</td>
            <td>
              <Button size="small" onClick={() => onOpen(version)}>
                Details
                <span className="sr-only">
                  {' '}
                  of {version.name} {version.operatorVersion}
                </span>
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
