import { LinkButton } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** More than this are on the page of Instances, which shows the worst first. */
const MOST = 30;

/** Instances that need a person, each with its reason and a link to the page that explains it. */
export function AttentionList({ rows }: { rows: readonly InstanceRow[] }) {
  return (
    <ul className="divide-y divide-line">
      {rows.slice(0, MOST).map((row) => (
        <li
          key={row.key}
          className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[128px_minmax(0,1fr)_auto] sm:items-center"
        >
          <StatusText status={row.state.key} word={row.state.word} />
          <div className="min-w-0">
            <Link href={instancePath(row.namespace, row.name)} className="link font-semibold">
              {row.name}
            </Link>{' '}
            <span className="text-ink-2">
              {row.namespace} · {row.operator}
            </span>
            <p className="line-clamp-2 text-ink-2 text-xs" title={row.state.detail}>
              {row.state.reason}
            </p>
          </div>
          <LinkButton
            size="small"
            href={instancePath(row.namespace, row.name, row.state.tab)}
            aria-label={`See why: ${row.name}`}
            className="justify-self-start"
          >
            See why
          </LinkButton>
        </li>
      ))}
      {rows.length > MOST && (
        <li className="px-4 py-2.5">
          <Link href="/instances" className="link text-accent">
            and {rows.length - MOST} more
          </Link>
        </li>
      )}
    </ul>
  );
}
