'use client';

import { useMutation } from '@tanstack/react-query';
import { useRightToRun } from '@/components/access/instance-rights';
import { request } from '@/components/live/request';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { showToast } from '@/components/ui/toast';
import { inlineSecrets, parametersSecret } from '@/lib/kudo/sources/place-edit';
import { instanceApiPath } from '@/lib/kudo/view/instance-path';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';

/** Offers to move secret values from the spec of the Instance into its Secret. Renders nothing when the spec has no secret value. */
export function MoveToSecret({ row }: { row: InstanceRow }) {
  const { block } = useRightToRun(row);
  const move = useMutation({
    mutationFn: () =>
      request<{ secret: string; moved: readonly string[] }>(
        `${instanceApiPath(row.namespace, row.name, 'parameters')}/secret`,
        // The server takes no POST without a JSON body.
        { method: 'POST', body: {} },
      ),
    onSuccess: ({ secret, moved }) =>
      showToast({ tone: 'ok', title: `${moved.join(', ')} moved to Secret ${secret}`, detail: 'No plan runs.' }),
  });
  const names = inlineSecrets(row.instance, row.operatorVersionObject);
  if (names.length === 0 || row.instance.metadata.deletionTimestamp !== undefined) return null;
  const secret = parametersSecret(row.name);
  const isOne = names.length === 1;
  return (
    <Notice
      className="mb-4"
      tone="hold"
      title={`${isOne ? 'A secret parameter is' : `${names.length} secret parameters are`} stored in the instance: ${names.join(', ')}`}
    >
      <p>
        Everybody who may read the instance can read {isOne ? 'it' : 'them'}. Moving puts{' '}
        {isOne ? 'the value' : 'the values'} into Secret <code>{secret}</code> and leaves a reference here. No plan
        runs, because {isOne ? 'the value stays' : 'the values stay'} the same.
      </p>
      {move.error !== null && (
        <p role="alert" className="text-fail">
          Not moved: {move.error.message}
        </p>
      )}
      <Button className="mt-2" disabledReason={block} busy={move.isPending} onClick={() => move.mutate()}>
        Move to a Secret
      </Button>
    </Notice>
  );
}
