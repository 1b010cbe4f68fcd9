import { Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { StatusText } from '@/components/ui/status';
import { Tag } from '@/components/ui/tag';
import { TimeAgo } from '@/components/ui/time-ago';
import type { RepositoryInfo } from '@/lib/kudo/repository/repository-info';
import { repositoryState } from './repository-rows';
import { type RepositoryRow, useRefreshRepository } from './use-repositories';

interface Acts {
  readonly onEdit: (repository: RepositoryInfo) => void;
  readonly onRemove: (repository: RepositoryInfo) => void;
}

/** One row a repository. Its problem is below its name, at any width. */
export function RepositoryTable({ rows, ...acts }: { rows: readonly RepositoryRow[] } & Acts) {
  return (
    <table className="table table-fixed">
      <caption className="sr-only">Repositories</caption>
      <thead>
        <tr>
          <th scope="col">Repository</th>
          <th scope="col" className="w-32 sm:w-36">
            State
          </th>
          <th scope="col" className="num w-24 max-sm:hidden">
            Packages
          </th>
          <th scope="col" className="w-28 max-md:hidden">
            Refreshed
          </th>
          <th scope="col" className="w-32 max-lg:hidden">
            Signatures
          </th>
          <th scope="col" className="w-28">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={row.info.name} row={row} {...acts} />
        ))}
      </tbody>
    </table>
  );
}

function TableRow({ row, onEdit, onRemove }: { row: RepositoryRow } & Acts) {
  const { info, content, isAsked } = row;
  const { status, word, problem } = repositoryState(row);
  const refresh = useRefreshRepository();
  const packages = new Set(content?.versions.map(({ name }) => name)).size;
  return (
    <tr data-repository={info.name}>
      <td>
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="break-all font-semibold">{info.name}</span>
          <Tag>{info.kind === 'oci' ? 'OCI' : 'HTTP'}</Tag>
          {info.hasCredentials && <Tag>credentials</Tag>}
        </span>
        <div className="truncate text-ink-2 text-xs" title={info.url}>
          {info.url}
        </div>
        {problem !== undefined && <p className="break-words text-ink-2 text-xs">{problem}</p>}
      </td>
      <td>
        <StatusText status={status} word={isAsked ? 'Asking…' : word} />
      </td>
      <td className="num max-sm:hidden">{content === undefined || problem !== undefined ? '—' : packages}</td>
      <td className="max-md:hidden">{content === undefined ? '—' : <TimeAgo at={content.refreshedAt} />}</td>
      <td className="text-ink-2 max-lg:hidden">{info.signatureKeys === undefined ? 'Not required' : 'Required'}</td>
      <td>
        <span className="flex justify-end">
          <Button
            variant="quiet"
            size="small"
            iconOnly
            busy={isAsked}
            icon={<RefreshCw size={15} aria-hidden="true" />}
            onClick={() => void refresh(info.name)}
          >
            Refresh {info.name}
          </Button>
          <Button
            variant="quiet"
            size="small"
            iconOnly
            icon={<Pencil size={15} aria-hidden="true" />}
            onClick={() => onEdit(info)}
          >
            Edit {info.name}
          </Button>
          <Button
            variant="quiet"
            size="small"
            iconOnly
            icon={<Trash2 size={15} aria-hidden="true" />}
            onClick={() => onRemove(info)}
          >
            Remove {info.name}
          </Button>
        </span>
      </td>
    </tr>
  );
}
