'use client';

import { useState } from 'react';
import { useBlocks } from '@/components/access/use-access';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { KeyValues } from '@/components/ui/key-values';
import { TimeAgo } from '@/components/ui/time-ago';
import { nameOf } from '@/lib/kube/object';
import type { OperatorSubscription } from '@/lib/kudo/upgrades/operator-subscription';
import { toApproveVersion, toSubscribe } from '@/lib/kudo/view/action-rights';
import { SubscriptionDialog } from './subscription-dialog';
import { useApproveVersion, useCheckNow, useEditSubscription } from './use-subscriptions';

interface SubscriptionsCardProps {
  operator: string;
  namespace: string;
  subscriptions: readonly OperatorSubscription[];
}

/** The channels that are followed for an operator in a namespace, and the versions that wait for an approval. */
export function SubscriptionsCard({ operator, namespace, subscriptions }: SubscriptionsCardProps) {
  const [asks, setAsks] = useState<OperatorSubscription | 'new'>();
  const [block] = useBlocks([toSubscribe('create', namespace)]);
  const existing = asks === 'new' ? undefined : asks;
  return (
    <Card
      title="Subscriptions"
      note={subscriptions.length > 0 && String(subscriptions.length)}
      action={
        <Button size="small" disabledReason={block} onClick={() => setAsks('new')}>
          Follow a channel
        </Button>
      }
    >
      {subscriptions.length === 0 && (
        <p className="px-4 py-3 text-ink-2">
          No channel of a repository is followed for {operator} in {namespace}.
        </p>
      )}
      <ul className="divide-y divide-line empty:hidden">
        {subscriptions.map((subscription) => (
          <SubscriptionItem
            key={nameOf(subscription)}
            subscription={subscription}
            onEdit={() => setAsks(subscription)}
          />
        ))}
      </ul>
      <SubscriptionDialog
        open={asks !== undefined}
        onClose={() => setAsks(undefined)}
        operator={operator}
        namespace={namespace}
        {...(existing === undefined ? {} : { existing })}
      />
    </Card>
  );
}

function SubscriptionItem({ subscription, onEdit }: { subscription: OperatorSubscription; onEdit: () => void }) {
  const { spec = {}, status = {}, metadata } = subscription;
  const namespace = metadata.namespace ?? '';
  const [patchBlock, approveBlock] = useBlocks([toSubscribe('patch', namespace), toApproveVersion(namespace)]);
  const approve = useApproveVersion(subscription);
  const edit = useEditSubscription(subscription);
  const check = useCheckNow(subscription);
  const waiting = status.path?.at(-1);
  const isWaiting = waiting !== undefined && spec.approval !== 'Automatic' && status.approvedVersion !== waiting;
  return (
    <li className="grid gap-2 px-4 py-3" data-subscription={nameOf(subscription)}>
      <KeyValues
        entries={[
          ['Name', nameOf(subscription)],
          ['Channel', `${spec.channel ?? 'stable'}, ${spec.approval === 'Automatic' ? 'automatic' : 'with approval'}`],
          [
            'Repository',
            <code key="repository" className="break-all">
              {spec.repository}
            </code>,
          ],
          ['Available', status.available === undefined ? undefined : <code key="available">{status.available}</code>],
          ['Checked', status.checkedAt === undefined ? 'not yet' : <TimeAgo key="checked" at={status.checkedAt} />],
          ['Held by', status.heldBy],
          [
            'Problem',
            status.problem === undefined ? undefined : (
              <span key="problem" className="text-fail">
                {status.problem}
              </span>
            ),
          ],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {isWaiting && (
          <Button
            size="small"
            variant="primary"
            disabledReason={approveBlock}
            busy={approve.isPending}
            onClick={() => approve.mutate(waiting)}
          >
            {`Approve ${waiting}`}
          </Button>
        )}
        <Button
          size="small"
          disabledReason={spec.suspend === true ? 'The subscription is suspended.' : approveBlock}
          busy={check.isPending}
          onClick={() => check.mutate()}
        >
          Check now
        </Button>
        <Button size="small" disabledReason={patchBlock} onClick={onEdit}>
          Edit
        </Button>
        <Button
          size="small"
          disabledReason={patchBlock}
          busy={edit.isPending}
          onClick={() => edit.mutate({ suspend: spec.suspend !== true })}
        >
          {spec.suspend === true ? 'Resume' : 'Suspend'}
        </Button>
      </div>
    </li>
  );
}
