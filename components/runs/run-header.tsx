'use client';

import type { ReactNode } from 'react';
import { useInstanceView } from '@/components/instance-view/instance-context';
import { Link } from '@/components/ui/link';
import { PageHeader } from '@/components/ui/page-header';
import { StatusPill } from '@/components/ui/status';
import { TimeAgo } from '@/components/ui/time-ago';
import { useCalmText } from '@/components/ui/use-calm-text';
import { useNow } from '@/components/ui/use-now';
import { formatElapsed } from '@/lib/clock/duration';
import { isLate } from '@/lib/kudo/plan/usual-time';
import type { RunPreview } from '@/lib/kudo/runs/plan-run';
import { heldMs } from '@/lib/kudo/runs/run-status';
import { durationOf } from '@/lib/kudo/runs/run-words';
import { instancePath } from '@/lib/kudo/view/instance-path';
import { planTitleOf } from '@/lib/kudo/view/plan-availability';
import { spanText, usualText } from '@/lib/kudo/view/run-facts';
import { type RunRow, runPath } from '@/lib/kudo/view/run-row';
import { currentLine, type TreeLine } from '@/lib/kudo/view/run-tree-lines';
import { usualRunTime } from '@/lib/kudo/view/run-usual';
import { statusWords } from '@/lib/kudo/view/status-words';
import { CompareMenu } from './compare/compare-menu';
import { RunActions } from './run-actions';
import { SnapshotLink } from './snapshot-link';
import { useInstanceRuns } from './use-run-rows';

/** The top of the page of a run: its state, why and by whom it began, how long it takes, and what can be done with it. */
export function RunHeader({ row, lines, deleted }: { row: RunRow; lines: readonly TreeLine[]; deleted: boolean }) {
  const { row: instance } = useInstanceView();
  const title = planTitleOf({ operatorVersionObject: instance?.operatorVersionObject }, row.plan);
  return (
    <PageHeader
      crumbs={[
        { label: 'Instances', href: '/instances' },
        { label: row.namespace },
        { label: row.instance, href: instancePath(row.namespace, row.instance, 'plans') },
        { label: 'Runs', href: `/runs?${new URLSearchParams({ instance: row.instance })}` },
      ]}
      title={
        <>
          {title} <code className="font-normal text-ink-2 text-md">{row.name}</code>
        </>
      }
      note={<StatusPill status={row.status} />}
      actions={
        <>
          <SnapshotLink row={row} />
          <CompareMenu row={row} />
          {!deleted && <RunActions row={row} lines={lines} />}
        </>
      }
    >
      {row.message !== '' && (
        <p className={row.status === 'FATAL_ERROR' ? 'max-w-[90ch] text-fail' : 'max-w-[90ch] text-ink-2'}>
          {row.message}
        </p>
      )}
      <Facts row={row} />
      <AsPreviewed preview={row.run.status?.preview} />
      <Announcement row={row} lines={lines} />
    </PageHeader>
  );
}

function Facts({ row }: { row: RunRow }) {
  const { spec = {}, status = {} } = row.run;
  const { retryOf, undoOf, stopAfter = '' } = spec;
  const { operatorVersion = '', operatorVersionBefore } = status;
  const version =
    operatorVersionBefore === undefined ? operatorVersion : `${operatorVersionBefore} → ${operatorVersion}`;
  return (
    <dl className="flex flex-wrap gap-x-7 gap-y-2">
      <Fact name="Why">{row.why}</Fact>
      <Fact name="Who">{row.who === '' ? <span className="text-ink-3">not recorded</span> : row.who}</Fact>
      {row.reason !== '' && <Fact name="Reason">“{row.reason}”</Fact>}
      {retryOf !== undefined && <RunFact name="Repeats" row={row} run={retryOf} />}
      {undoOf !== undefined && <RunFact name="Undoes" row={row} run={undoOf} />}
      {row.startedAt !== '' && (
        <Fact name="Started">
          <TimeAgo at={row.startedAt} />
        </Fact>
      )}
      <Fact name="Duration">
        <Duration row={row} />
      </Fact>
      {version !== '' && (
        <Fact name="Version">
          <code>{version}</code>
        </Fact>
      )}
      {stopAfter !== '' && !row.isOver && (
        <Fact name="Stops after">
          phase <code>{stopAfter}</code>
        </Fact>
      )}
    </dl>
  );
}

/** Whether the run applied what was shown before its start. */
function AsPreviewed({ preview }: { preview: RunPreview | undefined }) {
  if (preview === undefined) return null;
  if (preview.matches === true) return <p className="text-ink-2">Applied as previewed.</p>;
  const differs = preview.differs ?? [];
  return (
    <details>
      <summary className="text-wait">
        {differs.length === 1 ? '1 object differs' : `${differs.length} objects differ`} from the preview.
      </summary>
      <ul className="grid list-disc gap-1 ps-5 text-ink-2">
        {differs.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}

/** A link to another run of the Instance. */
function RunFact({ name, row, run }: { name: string; row: RunRow; run: string }) {
  return (
    <Fact name={name}>
      <Link className="link" href={runPath({ ...row, name: run })}>
        {run}
      </Link>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 max-w-[46ch]">
      <dt className="text-ink-3 text-xs">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}

/** How long it ran, or runs, and how long the plan usually takes. The time in which a person holds it does not make it late. */
function Duration({ row }: { row: RunRow }) {
  const nowMs = useNow(row.isOver ? 60_000 : 1_000);
  const runs = useInstanceRuns(row.namespace, row.instance, row.run.spec?.instanceUid);
  const usual = usualRunTime(runs, row);
  const took = durationOf(row.run, nowMs);
  if (took === undefined) return <span className="text-ink-3">not known</span>;
  const late = !row.isOver && isLate((took - heldMs(row.run.status, nowMs)) / 1_000, usual);
  return (
    <span className={late ? 'font-medium text-wait tabular-nums' : 'tabular-nums'}>
      {row.isOver ? spanText(took / 1_000) : formatElapsed(took)}
      {usual !== undefined && (
        <span className={late ? undefined : 'text-ink-2'}>{`${late ? ', late: ' : ', '}${usualText(usual)}`}</span>
      )}
    </span>
  );
}

/** State and step for screen readers, at most every few seconds. */
function Announcement({ row, lines }: { row: RunRow; lines: readonly TreeLine[] }) {
  const current = row.isOver ? undefined : currentLine(lines);
  const where = current === undefined ? '' : `, ${current.phase} / ${current.step}`;
  const text = useCalmText(`${row.name}: ${statusWords[row.status].word}${where}`);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
