import { TerminalError } from '@/lib/errors/errors';
import { NOTICES_LABEL, type NoticeRule, type NoticeSource, noticeSourceWords } from '@/lib/kudo/notices/notice';
import { type ParsedNotices, parseNotices } from '@/lib/kudo/notices/parse-notices';
import { noticeSource } from '@/server/notices/configured-notices';
import type { ClusterSession } from '../support/session';

const RESOURCES = { ConfigMap: 'configmaps', Secret: 'secrets' } as const;

/** What one ConfigMap or Secret says of notices. */
export interface ReadNotices extends ParsedNotices {
  readonly source: NoticeSource;
}

/**
 * Reads every object that configures notices, with the rights of the person.
 *
 * @param namespace undefined: of all namespaces
 * @param homeNamespace of the controller
 */
export async function readNotices(
  { api }: ClusterSession,
  namespace: string | undefined,
  homeNamespace: string,
): Promise<readonly ReadNotices[]> {
  const place = namespace === undefined ? {} : { namespace };
  const lists = await Promise.all(
    (['ConfigMap', 'Secret'] as const).map(async (kind) => {
      const target = { group: '', version: 'v1', resource: RESOURCES[kind], ...place };
      const { items } = await api.list(target, { labelSelector: NOTICES_LABEL });
      return items.map((object) => noticeSource(kind, object));
    }),
  );
  return lists.flat().map((source) => ({ source, ...parseNotices(source, homeNamespace) }));
}

/**
 * The notice with that name.
 *
 * @param wanted `NAME`, or `KIND/NAMESPACE/OBJECT/NAME` when several have the name
 * @throws TerminalError when there is none, with what is wrong with notices, or more than one
 */
export function requireNotice(read: readonly ReadNotices[], wanted: string): NoticeRule {
  const found = read.flatMap(({ notices }) => notices).filter(({ id, name }) => name === wanted || id === wanted);
  const [first, ...others] = found;
  if (first === undefined) {
    const problems = read.flatMap((each) => each.problems);
    throw new TerminalError([`notice ${wanted} does not exist.`, ...problems].join(' '), 'NotFound');
  }
  if (others.length === 0) return first;
  const ids = found.map(({ id }) => id).join(', ');
  throw new TerminalError(`several notices are named ${wanted}; give one of ${ids}`, 'Ambiguous');
}

/** What a person may see of a notice: no URL but its host, and no key. */
export function shownNotice(source: NoticeSource, notice: NoticeRule) {
  return {
    name: notice.name,
    from: noticeSourceWords(source),
    id: notice.id,
    format: notice.format,
    host: new URL(notice.url).host,
    signed: notice.signingKey !== undefined,
    plans: notice.plans,
    results: notice.results,
    matchLabels: notice.matchLabels,
    namespaces: notice.namespaces,
  };
}
