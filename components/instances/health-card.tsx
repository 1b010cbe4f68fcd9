'use client';

import { objectHref } from '@/components/resources/resource-path';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { type HealthCheckView, healthView, verdictWord } from '@/lib/kudo/view/health-view';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** The health checks that the operator declares, each with its verdict and its line; nothing for an operator without any. */
export function HealthCard({ row }: { row: InstanceRow }) {
  const health = healthView(row.instance, row.operatorVersionObject);
  if (health === undefined) return null;
  return (
    <Card title="Health" note={countText(health.checks)} action={<Checked checks={health.checks} />}>
      {health.note !== '' && <p className="px-4 py-3 text-ink-2">{health.note}</p>}
      {health.checks.length > 0 && (
        <ul>
          {health.checks.map((check) => (
            <Check key={check.name} check={check} namespace={row.namespace} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Check({ check, namespace }: { check: HealthCheckView; namespace: string }) {
  const { name, title, status, verdict, message, advice, pod, since } = check;
  return (
    <li
      data-health-check={name}
      data-verdict={verdict}
      className="flex flex-wrap items-start gap-x-3 gap-y-1 border-b px-4 py-2.5 last:border-b-0"
    >
      <StatusText status={status} word={verdictWord(check)} className="w-28 shrink-0" />
      <div className="min-w-0 flex-1 basis-52 break-words">
        <span className="font-semibold">{title}</span>
        {message !== '' && <span>: {message}</span>}
        {pod !== '' && (
          <>
            {' on '}
            <Link href={objectHref(POD, namespace, pod)} className="link">
              <code>{pod}</code>
            </Link>
          </>
        )}
        {advice !== '' && <p className="text-ink-2">{advice}</p>}
      </div>
      <span className="whitespace-nowrap text-ink-2">
        for <TimeAgo at={since} suffix="" />
      </span>
    </li>
  );
}

const POD = { group: '', version: 'v1', resource: 'pods' };

/** When the newest known result was found. */
function Checked({ checks }: { checks: readonly HealthCheckView[] }) {
  const newest = checks
    .flatMap(({ checkedAt }) => checkedAt ?? [])
    .sort()
    .at(-1);
  if (newest === undefined) return null;
  return (
    <span>
      checked <TimeAgo at={newest} />
    </span>
  );
}

function countText(checks: readonly HealthCheckView[]): string | undefined {
  const counted = checks.filter(({ verdict }) => verdict !== 'Simulated');
  if (counted.length === 0) return undefined;
  const passing = counted.filter(({ verdict }) => verdict === 'Passing').length;
  return `${passing} of ${counted.length} ${counted.length === 1 ? 'check passes' : 'checks pass'}`;
}
