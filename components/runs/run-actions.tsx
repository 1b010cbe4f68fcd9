'use client';

import { useMutation } from '@tanstack/react-query';
import { Ban, Pause, Play, RotateCcw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useAccess } from '@/components/access/use-access';
import { request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { showToast } from '@/components/ui/toast';
import { accessTo } from '@/lib/kube/access';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import { type RunRow, runPath } from '@/lib/kudo/view/run-row';
import { topics } from '@/lib/live/topic';
import { useSteer } from './use-steer';

/** The right to steer runs of a namespace. */
export const toSteer = (namespace: string) => accessTo('patch', topics.planRuns, namespace);

/** What can be done with a run: held, let go on or ended while it runs, repeated when it has failed. */
export function RunActions({ row }: { row: RunRow }) {
  return row.isOver ? <RetryButton row={row} /> : <SteerButtons row={row} />;
}

function SteerButtons({ row }: { row: RunRow }) {
  const steer = useSteer(row);
  const { block } = useAccess(toSteer(row.namespace));
  const [asks, setAsks] = useState(false);
  const { paused, stopAfter = '', cancelled } = row.run.spec ?? {};
  const isHeld = paused === true || row.status === 'paused';
  const ends = cancelled === true ? 'The run ends already.' : undefined;
  return (
    <>
      {isHeld ? (
        <Button
          size="small"
          icon={<Play size={14} aria-hidden="true" />}
          disabledReason={block ?? ends}
          busy={steer.isPending}
          onClick={() => steer.mutate({ do: 'resume' })}
        >
          Resume
        </Button>
      ) : (
        <Button
          size="small"
          icon={<Pause size={14} aria-hidden="true" />}
          disabledReason={block ?? ends}
          busy={steer.isPending}
          onClick={() => steer.mutate({ do: 'pause' })}
        >
          Pause
        </Button>
      )}
      <Button
        size="small"
        variant="danger"
        icon={<Ban size={14} aria-hidden="true" />}
        disabledReason={block ?? ends}
        onClick={() => setAsks(true)}
      >
        Cancel run
      </Button>
      <Dialog open={asks} onClose={() => setAsks(false)} title={`Cancel run ${row.name}?`}>
        <div className="grid gap-4">
          <p>
            The task that runs now comes to its end, and no other one begins. What was applied stays as it is, and the
            instance says which steps are half done. A cancelled run cannot go on; the plan can be started again.
          </p>
          {stopAfter !== '' && (
            <p className="text-ink-2">Without cancelling it, the run is held after phase {stopAfter}.</p>
          )}
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => setAsks(false)}>Keep it</Button>
            <Button
              variant="destroy"
              onClick={() => {
                setAsks(false);
                steer.mutate({ do: 'cancel' });
              }}
            >
              Cancel run
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}

/** The same plan again; it goes on at the step that failed. */
function RetryButton({ row }: { row: RunRow }) {
  const router = useRouter();
  const { block } = useAccess(accessTo('patch', topics.instances, row.namespace));
  const retry = useMutation({
    mutationFn: () =>
      request(instanceApiPath(row.namespace, row.instance, `plans/${encodeURIComponent(row.plan)}`), {
        method: 'POST',
        body: { retryOf: row.name },
      }),
    onSuccess: () => {
      showToast({ tone: 'ok', title: `Run ${row.name} is repeated` });
      router.push(runPath({ ...row, name: '' }).replace(/\/runs\/$/, '/plans'));
    },
    onError: (error) => showToast({ tone: 'fail', title: `Run ${row.name} was not repeated`, detail: error.message }),
  });
  if (row.status === 'COMPLETE') return null;
  return (
    <Button
      size="small"
      icon={<RotateCcw size={14} aria-hidden="true" />}
      disabledReason={block}
      busy={retry.isPending}
      onClick={() => retry.mutate()}
    >
      Retry
    </Button>
  );
}
