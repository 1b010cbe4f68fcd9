'use client';

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { TypedName } from '@/components/ui/typed-name';
import { useDestroyGuard } from '@/components/ui/use-destroy-guard';
import { randomSuffix } from '@/lib/kube/workloads/new-jobs';
import { OPERATOR_UPGRADES } from '@/lib/kudo/upgrades/operator-upgrade';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { planTitleOf } from '@/lib/kudo/view/plan-availability';
import {
  isDestructiveForAny,
  plansOfAll,
  type WaveGroup,
  type WaveWishes,
  waveGroups,
  waveUpgrade,
} from '@/lib/kudo/view/plan-waves';
import { limits } from '@/lib/limits/limits';
import { systemRandom } from '@/lib/random/random';

const NAME_CHARS = 40;

/**
 * Creates the records; the controller does the rest.
 * @param created the groups that have one, which another attempt leaves as they are: it would run the plan there twice
 */
async function createWaves(groups: readonly WaveGroup[], wishes: WaveWishes, created: Set<string>): Promise<void> {
  for (const group of groups) {
    const key = `${wishes.plan} ${group.namespace}/${group.operator}`;
    if (created.has(key)) continue;
    const name = `${wishes.plan
      .toLowerCase()
      .replace(/[^a-z0-9-]/g, '-')
      .slice(0, NAME_CHARS)}-${randomSuffix(systemRandom)}`;
    await request(kubePath({ ...OPERATOR_UPGRADES, namespace: group.namespace }), {
      method: 'POST',
      body: waveUpgrade(group, wishes, name),
    });
    created.add(key);
  }
}

/** Asks which plan runs on many Instances, how many at once, and what becomes of a failure. */
export function WavesDialog({ rows, onClose }: { rows: readonly InstanceRow[]; onClose: () => void }) {
  const plans = plansOfAll(rows);
  const [plan = '', choose] = useState(plans[0]);
  const [waveSize, setWaveSize] = useState(1);
  const [stopOnFailure, setStop] = useState(true);
  const [reason, setReason] = useState('');
  const isConfirmed = isDestructiveForAny(rows, plan);
  const guard = useDestroyGuard(String(rows.length), isConfirmed);
  const groups = waveGroups(rows);
  const [created] = useState(() => new Set<string>());
  const start = useMutation({
    mutationFn: () => createWaves(groups, { plan, waveSize, stopOnFailure, reason, isConfirmed }, created),
    onSuccess: () => {
      showToast({
        tone: 'ok',
        title: `Plan ${plan} runs on ${rows.length} Instances`,
        detail: 'Their progress is below the list.',
      });
      onClose();
    },
  });
  const block = plans.length === 0 ? 'The Instances have no plan in common.' : (tooMany(groups) ?? guard.block);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (block === undefined) start.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={`Run a plan on ${rows.length} Instances`}>
      <form className="grid gap-4" onSubmit={submit}>
        <Field
          label="Plan"
          hint="Plans that every selected Instance has. Plans that ask for values of their own start on the page of an Instance."
        >
          {(wiring) => (
            <Select {...wiring} data-first-focus value={plan} onChange={(event) => choose(event.target.value)}>
              {plans.map((each) => (
                <option key={each} value={each}>
                  {rows[0] === undefined ? each : planTitleOf(rows[0], each)} ({each})
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Instances at once" hint={waveText(groups, waveSize)}>
          {(wiring) => (
            <Input
              {...wiring}
              type="number"
              min={1}
              max={limits.upgrades.instances}
              value={waveSize}
              onChange={(event) =>
                setWaveSize(Math.max(1, Math.min(limits.upgrades.instances, Number(event.target.value) || 1)))
              }
            />
          )}
        </Field>
        <label className="flex min-h-7 items-center gap-2">
          <input type="checkbox" checked={stopOnFailure} onChange={(event) => setStop(event.target.checked)} />
          Stop when a run of a wave fails
        </label>
        <Field label="Reason" hint="For the records of the runs.">
          {(wiring) => (
            <Input {...wiring} maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
          )}
        </Field>
        {isConfirmed && (
          <>
            <Notice tone="fail" title={`Plan ${plan} deletes or replaces data`}>
              It does so on each of the {rows.length} Instances.
            </Notice>
            <TypedName name={String(rows.length)} guard={guard} />
          </>
        )}
        {start.isError && (
          <Notice tone="fail" alert title="The plan was not started on all of them">
            {start.error.message}
          </Notice>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant={isConfirmed ? 'destroy' : 'primary'}
            data-plan={plan}
            busy={start.isPending}
            disabledReason={block}
          >
            Run {plan}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function tooMany(groups: readonly WaveGroup[]): string | undefined {
  const most = limits.upgrades.instances;
  const large = groups.find(({ instances }) => instances.length > most);
  if (large === undefined) return undefined;
  return `Select at most ${most} Instances of ${large.operator} in namespace ${large.namespace}.`;
}

function waveText(groups: readonly WaveGroup[], waveSize: number): string {
  const waves = Math.max(0, ...groups.map(({ instances }) => Math.ceil(instances.length / waveSize)));
  const next = `${waves} ${waves === 1 ? 'wave' : 'waves'}; the next one begins when all runs of a wave are complete.`;
  if (groups.length <= 1) return next;
  return `${next} Each operator in each namespace has waves of its own: ${groups.length} run side by side.`;
}
