'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { request } from '@/components/live/request';
import { objectHref } from '@/components/resources/resource-path';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import { useRouter } from '@/components/ui/navigation';
import { Notice } from '@/components/ui/notice';
import { messageOf } from '@/lib/errors/errors';
import { type KubeObject, nameOf, namespaceOf } from '@/lib/kube/object';
import { debugContainerName } from '@/lib/kube/pods/debug-container';
import { containersOfPod } from '@/lib/kube/pods/pod-containers';
import { topics } from '@/lib/live/topic';

/** Asks for a debug container, adds it, waits until it runs, and leads to its terminal. */
export default function DebugDialog({
  pod,
  onClose,
  onAdded,
}: {
  pod: KubeObject;
  onClose: () => void;
  onAdded: ((container: string) => void) | undefined;
}) {
  const containers = containersOfPod(pod);
  const targets = containers.filter(({ role, isRunning }) => isRunning && role !== 'ephemeral');
  const [image, setImage] = useState('busybox:1.37');
  const [target, setTarget] = useState(targets[0]?.name ?? '');
  const [command, setCommand] = useState('');
  const [added, setAdded] = useState<string>();
  const [namespace, name] = [namespaceOf(pod), nameOf(pod)];
  const router = useRouter();
  const add = useMutation({
    mutationFn: (container: string) =>
      request<void>(`/api/pods/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}/debug`, {
        method: 'POST',
        body: { name: container, image, target, command: command.split(/\s+/).filter(Boolean) },
      }),
    onSuccess: (_, container) => setAdded(container),
  });
  const made = containers.find((each) => each.name === added);
  const isRunning = made?.isRunning === true;
  useEffect(() => {
    if (!isRunning || added === undefined) return;
    onClose();
    if (onAdded !== undefined) onAdded(added);
    else router.push(`${objectHref(topics.pods(namespace), namespace, name, 'terminal')}?container=${added}`);
  }, [isRunning, added, onClose, onAdded, router, namespace, name]);
  const wait =
    made === undefined
      ? 'The pod does not show it yet.'
      : `${made.word}${made.message === '' ? '' : `: ${made.message}`}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Debug container in ${name}`}
      footer={
        <>
          <Button onClick={onClose}>{added === undefined ? 'Cancel' : 'Close'}</Button>
          <Button
            variant="primary"
            busy={add.isPending || (added !== undefined && made?.lastEnd === undefined)}
            onClick={() => add.mutate(debugContainerName(containers.map((each) => each.name)))}
          >
            Add container
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-ink-2">
          An ephemeral container is added to the running pod, with tools that its image may not have. It stays in the
          pod until the pod is deleted; Kubernetes cannot remove it.
        </p>
        <Field label="Image" required>
          {(wiring) => (
            <Input {...wiring} mono data-first-focus value={image} onChange={(event) => setImage(event.target.value)} />
          )}
        </Field>
        <Field label="Target container" hint="The debug container sees the processes of this one.">
          {(wiring) => (
            <Select {...wiring} value={target} onChange={(event) => setTarget(event.target.value)}>
              <option value="">none</option>
              {targets.map((each) => (
                <option key={each.name}>{each.name}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Command" hint="Empty: the command of the image, which has a terminal and waits for input.">
          {(wiring) => (
            <Input
              {...wiring}
              mono
              value={command}
              placeholder="sleep 3600"
              onChange={(event) => setCommand(event.target.value)}
            />
          )}
        </Field>
        {add.isError && (
          <Notice tone="fail" title="The container was not added">
            {messageOf(add.error)}
          </Notice>
        )}
        {added !== undefined && (
          <p role="status">
            Container <code>{added}</code> was added. {wait}
          </p>
        )}
      </div>
    </Dialog>
  );
}
