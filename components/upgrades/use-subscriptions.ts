'use client';

import { useMutation } from '@tanstack/react-query';
import { request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import { showToast } from '@/components/ui/toast';
import { nameOf, namespaceOf } from '@/lib/kube/object';
import {
  CHECK_NOW,
  OPERATOR_SUBSCRIPTION_API_VERSION,
  OPERATOR_SUBSCRIPTIONS,
  type OperatorSubscription,
  type OperatorSubscriptionSpec,
} from '@/lib/kudo/upgrades/operator-subscription';

const contentType = 'application/merge-patch+json';

/** A subscription as its form has it; `null` takes a field away. */
export type SubscriptionEdit = {
  readonly [field in keyof OperatorSubscriptionSpec]: OperatorSubscriptionSpec[field] | null;
};

/** Creates a subscription with the rights of the person. The caller shows the error. */
export function useCreateSubscription(namespace: string, onDone: () => void) {
  return useMutation({
    mutationFn: ({ name, spec }: { name: string; spec: SubscriptionEdit }) => {
      const given = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
      const object = {
        apiVersion: OPERATOR_SUBSCRIPTION_API_VERSION,
        kind: 'OperatorSubscription',
        metadata: { name, namespace },
        spec: given,
      };
      return request(kubePath({ ...OPERATOR_SUBSCRIPTIONS, namespace }), { method: 'POST', body: object });
    },
    onSuccess: (_answer, { name }) => {
      showToast({ tone: 'ok', title: `Subscription ${name} was created` });
      onDone();
    },
  });
}

/** Changes fields of a subscription; reports a failure in a toast. */
export function useEditSubscription(subscription: OperatorSubscription) {
  return useMutation({
    mutationFn: (spec: SubscriptionEdit) => patch(subscription, { metadata: { uid: subscription.metadata.uid }, spec }),
    onError: (error) => failed(subscription, error),
  });
}

/** Approves a version: a write of the status, which takes a right of its own. */
export function useApproveVersion(subscription: OperatorSubscription) {
  return useMutation({
    mutationFn: (version: string) => patch(subscription, { status: { approvedVersion: version } }, '/status'),
    onSuccess: (_answer, version) => showToast({ tone: 'ok', title: `Version ${version} was approved` }),
    onError: (error) => failed(subscription, error),
  });
}

/** Lets the controller ask the repository now; takes the right to write the status. */
export function useCheckNow(subscription: OperatorSubscription) {
  return useMutation({
    mutationFn: () => patch(subscription, CHECK_NOW, '/status'),
    onError: (error) => failed(subscription, error),
  });
}

function patch(subscription: OperatorSubscription, body: object, subresource = ''): Promise<unknown> {
  const target = { ...OPERATOR_SUBSCRIPTIONS, namespace: namespaceOf(subscription), name: nameOf(subscription) };
  return request(`${kubePath(target)}${subresource}`, { method: 'PATCH', body, contentType });
}

function failed(subscription: OperatorSubscription, error: Error): void {
  showToast({ tone: 'fail', title: `Subscription ${nameOf(subscription)} was not changed`, detail: error.message });
}
