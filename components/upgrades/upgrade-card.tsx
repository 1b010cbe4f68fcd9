'use client';

import { useBlocks } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { StatusText } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import { isUpgradeOver, type OperatorUpgrade, type UpgradeEntry } from '@/lib/kudo/upgrades/operator-upgrade';
import { toUpgrade } from '@/lib/kudo/view/action-rights';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { entryLooks, phaseLooks } from './upgrade-words';
import { useSteerUpgrade } from './use-upgrades';

/** One upgrade in waves: how far it is, what became of each Instance, and how it goes on. */
export function UpgradeCard({ upgrade }: { upgrade: OperatorUpgrade }) {
  const { spec = {}, status = {} } = upgrade;
  const [look, word] = phaseLooks[status.phase ?? 'Pending'];
  const total = spec.instances?.length ?? 0;
  return (
    <div data-upgrade={nameOf(upgrade)}>
      <Card title={nameOf(upgrade)} note={namespaceOf(upgrade)} action={<StatusText status={look} word={word} />}>
        <div className="grid gap-2 border-b px-4 py-3">
          <p className="flex flex-wrap gap-x-3 text-ink-2">
            <code>{spec.plan === undefined ? (spec.path ?? []).join(' → ') : `plan ${spec.plan}`}</code>
            <span>
              {status.upgraded ?? 0} of {total} {spec.plan === undefined ? 'upgraded' : 'done'}
              {status.wave !== undefined && `, wave ${status.wave} of ${status.waves ?? 0}`}
            </span>
            <span>
              created <TimeAgo at={upgrade.metadata.creationTimestamp} />
            </span>
          </p>
          <progress
            className="h-1.5 w-full"
            max={Math.max(1, total)}
            value={status.upgraded ?? 0}
            aria-label={
              spec.plan === undefined ? 'Upgraded Instances' : `Instances on which plan ${spec.plan} is complete`
            }
          />
          {status.message !== undefined && <p aria-live="polite">{status.message}</p>}
          <Steering upgrade={upgrade} />
        </div>
        <EntryTable
          namespace={namespaceOf(upgrade)}
          entries={status.instances ?? []}
          isPlan={spec.plan !== undefined}
        />
      </Card>
    </div>
  );
}

function Steering({ upgrade }: { upgrade: OperatorUpgrade }) {
  const { spec = {}, status = {} } = upgrade;
  const steer = useSteerUpgrade(upgrade);
  const [block] = useBlocks([toUpgrade('patch', namespaceOf(upgrade))]);
  const isOver = isUpgradeOver(upgrade);
  const moved = (status.instances ?? []).some(({ state, from }) => from !== undefined && state !== 'RolledBack');
  const act = (label: string, edit: Parameters<typeof steer.mutate>[0], variant: 'default' | 'danger' = 'default') => (
    <Button
      key={label}
      size="small"
      variant={variant}
      disabledReason={block}
      busy={steer.isPending}
      onClick={() => steer.mutate(edit)}
    >
      {label}
    </Button>
  );
  const resume = { pause: false, resume: Math.max(spec.resume ?? 0, status.resumed ?? 0) + 1 };
  const isBack = spec.rollBack === true;
  return (
    <div className="flex flex-wrap gap-2 empty:hidden">
      {!isOver && !isBack && status.phase === 'Paused' && act('Resume', resume)}
      {!isOver && !isBack && status.phase !== 'Paused' && spec.pause !== true && act('Pause', { pause: true })}
      {!isOver && !isBack && spec.cancel !== true && act('Cancel', { cancel: true })}
      {!isBack && moved && spec.plan === undefined && act('Roll back', { rollBack: true }, 'danger')}
    </div>
  );
}

interface EntryTableProps {
  readonly namespace: string;
  readonly entries: readonly UpgradeEntry[];
  /** A plan runs on them; they do not move. */
  readonly isPlan: boolean;
}

function EntryTable({ namespace, entries, isPlan }: EntryTableProps) {
  if (entries.length === 0) return <p className="px-4 py-3 text-ink-3">The controller has not begun yet.</p>;
  return (
    <table className="table">
      <caption className="sr-only">Instances of the upgrade</caption>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">Instance</th>
          <th scope="col" className="num">
            Wave
          </th>
          <th scope="col" className="max-sm:hidden">
            Why
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ name, wave, state, message = '', problem }) => {
          const why = problem ?? message;
          return (
            <tr key={name} data-instance={name} data-state={state}>
              <td>
                <StatusText
                  status={entryLooks[state][0]}
                  word={isPlan && state === 'Upgraded' ? 'Done' : entryLooks[state][1]}
                />
              </td>
              <td>
                <Link className="link" href={instancePath(namespace, name)}>
                  {name}
                </Link>
                {/* There is no room for a column of its own. */}
                {why !== '' && <span className="block text-ink-2 text-xs sm:hidden">{why}</span>}
              </td>
              <td className="num">{wave}</td>
              <td className="text-ink-2 max-sm:hidden">{why}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
