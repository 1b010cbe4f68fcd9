import type { RepositoryVersion } from '@/lib/kudo/repository/repository-info';
import type { StatusKey } from '@/lib/kudo/view/status-words';
import type { RepositoryRow } from './use-repositories';

/** The word and the look of a repository's state. */
export function repositoryState({ content, error }: Pick<RepositoryRow, 'content' | 'error'>): {
  readonly status: StatusKey;
  readonly word: string;
  readonly problem: string | undefined;
} {
  const problem = error?.message ?? content?.problem;
  if (error?.status === 403) return { status: 'paused', word: 'Refused', problem };
  if (problem !== undefined) return { status: 'failing', word: 'Unreachable', problem };
  if (content === undefined) return { status: 'NEVER_RUN', word: 'Not asked yet', problem };
  return { status: 'healthy', word: 'Ready', problem };
}

/** A version, and the repository that has it. */
export interface FoundVersion extends RepositoryVersion {
  readonly repository: string;
}

/** Versions whose package's name or description holds every word of the text: by name, then in the order of their repositories. */
export function findVersions(rows: readonly RepositoryRow[], text: string): readonly FoundVersion[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows
    .flatMap(({ info, content }) => (content?.versions ?? []).map((each) => ({ ...each, repository: info.name })))
    .filter(({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word)))
    .sort((a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1));
}
