'use client';

import { useState } from 'react';
import { request } from '@/components/live/request';
import { showToast } from '@/components/ui/toast';
import { messageOf } from '@/lib/errors/errors';
import { CONSOLE_MANAGER } from '@/lib/kube/ownership/revert';
import type { ResourcePath } from '@/lib/kube/path';
import { kubePath } from '../resource-path';

/** One write to the Kubernetes API, with the rights of the person. */
interface Write {
  readonly method: 'POST' | 'PATCH';
  readonly path: ResourcePath;
  readonly body: unknown;
  /** For a PATCH that is no merge patch. */
  readonly contentType?: string;
}

/** Sends the write of a dialog; `title` says what it does. The dialog stays open with the error when it fails. */
export function useSendWrite(title: string, onDone: () => void) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const run = (write: Write) => {
    setIsBusy(true);
    setError(undefined);
    send(write).then(
      () => {
        showToast({ tone: 'ok', title: `Done: ${title}` });
        onDone();
      },
      (cause: unknown) => {
        setError(messageOf(cause));
        setIsBusy(false);
      },
    );
  };
  return { run, isBusy, error };
}

/** @throws RequestError */
function send({ method, path, body, contentType }: Write): Promise<unknown> {
  const { namespace, ...rest } = path;
  return request(`${kubePath({ ...rest, namespace: namespace || undefined })}?fieldManager=${CONSOLE_MANAGER}`, {
    method,
    body,
    contentType: contentType ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'),
  });
}
