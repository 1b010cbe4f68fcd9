'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useRightToRun } from '@/components/access/instance-rights';
import { request } from '@/components/live/request';
import { useTopicWithin } from '@/components/shell/use-topic-within';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { nameOf } from '@/lib/kube/object';
import { upgradePlanOf } from '@/lib/kudo/trigger-of';
import type { OperatorVersion } from '@/lib/kudo/types';
import { instanceApiPath, instancePath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { planBlock } from '@/lib/kudo/view/plan-availability';
import { compare, otherVersions, parameterMoves, versionLabel } from '@/lib/kudo/view/version-move';
import { topics } from '@/lib/live/topic';

interface VersionDialogProps {
  row: InstanceRow;
  open: boolean;
  onClose: () => void;
}

/** Changes the version of an Instance to another installed one, after a preview. */
export function VersionDialog({ row, open, onClose }: VersionDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={`Version of ${row.name}`}>
      {row.operatorVersionObject !== undefined && (
        <VersionBody row={row} current={row.operatorVersionObject} onClose={onClose} />
      )}
    </Dialog>
  );
}

function VersionBody({ row, current, onClose }: { row: InstanceRow; current: OperatorVersion; onClose: () => void }) {
  const all = useTopicWithin(topics.operatorVersions, row.namespace).objects as readonly OperatorVersion[];
  const others = otherVersions(current, all);
  const [chosen, setChosen] = useState('');
  const { missing, block } = useRightToRun(row);
  const target = others.find((version) => nameOf(version) === chosen) ?? others[0];
  const move = useMutation({
    mutationFn: (name: string) =>
      request<{ plan?: string }>(instanceApiPath(row.namespace, row.name, 'version'), {
        method: 'POST',
        body: { operatorVersion: name },
      }),
    onSuccess: ({ plan }) => {
      onClose();
      showToast({
        tone: 'ok',
        title: plan === undefined ? 'Version changed' : `Version changed; plan ${plan} starts`,
        link: { label: 'Follow the plan', href: instancePath(row.namespace, row.name, 'plans') },
      });
    },
  });
  if (target === undefined) {
    return (
      <p>
        {versionLabel(current)} is the only version of {row.operator} in this namespace. Install another version from
        the catalogue first.
      </p>
    );
  }
  const plan = upgradePlanOf(target) ?? 'deploy';
  const isOlder = compare(target, current) < 0;
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        move.mutate(nameOf(target));
      }}
    >
      <Field label="Version" hint={`Now ${versionLabel(current)}`}>
        {(wiring) => (
          <Select {...wiring} value={nameOf(target)} onChange={(event) => setChosen(event.target.value)}>
            {others.map((version) => (
              <option key={nameOf(version)} value={nameOf(version)}>
                {versionLabel(version)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isOlder && (
        <Notice tone="wait" title="This is an older version">
          The operator may not support a downgrade.
        </Notice>
      )}
      <Moves from={current} to={target} plan={plan} />
      {move.isError && (
        <Notice tone="fail" alert title="The version was not changed">
          {move.error.message}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          variant="primary"
          data-plan={plan}
          busy={move.isPending}
          disabledReason={missing ?? planBlock(row, '', false) ?? block}
        >
          {isOlder ? 'Downgrade' : 'Upgrade'}
          {plan !== 'upgrade' && ` and run ${plan}`}
        </Button>
      </div>
    </form>
  );
}

function Moves({ from, to, plan }: { from: OperatorVersion; to: OperatorVersion; plan: string }) {
  const { added, removed, defaults } = parameterMoves(from, to);
  return (
    <ul className="grid gap-1 text-ink-2">
      <li>
        Runs plan <code className="text-ink">{plan}</code>.
      </li>
      {added.length > 0 && <li>New parameters: {added.join(', ')}.</li>}
      {removed.length > 0 && <li>Removed parameters: {removed.join(', ')}.</li>}
      {defaults.map(([name, now, then]) => (
        <li key={name}>
          Default of {name}: <code>{now || 'empty'}</code> → <code>{then || 'empty'}</code>
        </li>
      ))}
      {added.length + removed.length + defaults.length === 0 && <li>The parameters do not change.</li>}
    </ul>
  );
}
