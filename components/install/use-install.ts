'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { noteMyRun } from '@/components/instance-view/my-runs';
import { RequestError, request } from '@/components/live/request';
import type { SaveProblem } from '@/components/resources/use-object-draft';
import { useRouter } from '@/components/ui/navigation';
import { showToast } from '@/components/ui/toast';
import { messageOf } from '@/lib/errors/errors';
import { DEPLOY_PLAN } from '@/lib/kudo/names';
import type { InstallPreview, InstallRequest, PackageDetail } from '@/lib/kudo/package/catalogue';
import { instancePath } from '@/lib/kudo/view/instance-path';

export interface PreviewState {
  readonly data: InstallPreview | undefined;
  readonly problem: SaveProblem | undefined;
}

/** Asks for the preview while it is shown, and installs; an install leads to the page of the new instance. */
export function useInstall(detail: PackageDetail, wish: InstallRequest, { isPreview }: { isPreview: boolean }) {
  const router = useRouter();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<SaveProblem>();
  const path = `/api/packages/${encodeURIComponent(detail.name)}/${encodeURIComponent(detail.key)}`;
  const query = useQuery({
    enabled: isPreview,
    queryKey: ['install-preview', path, wish],
    retry: false,
    queryFn: ({ signal }) => request<InstallPreview>(`${path}/preview`, { method: 'POST', body: wish, signal }),
  });
  const install = async () => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await request(`${path}/install`, { method: 'POST', body: wish });
      noteMyRun(`${wish.namespace}/${wish.instance}`, DEPLOY_PLAN, undefined);
      showToast({ tone: 'run', title: `Installing ${wish.instance}`, detail: 'Its plan deploy is starting.' });
      router.push(instancePath(wish.namespace, wish.instance, 'plans'));
    } catch (error) {
      setProblem(problemOf(error));
      setIsBusy(false);
    }
  };
  const preview: PreviewState = {
    data: query.data,
    problem: query.error === null ? undefined : problemOf(query.error),
  };
  return { install, preview, problem, isBusy };
}

function problemOf(error: unknown): SaveProblem {
  return { message: messageOf(error), causes: error instanceof RequestError ? error.causes : [] };
}
