'use client';

import { useMutation } from '@tanstack/react-query';
import { RequestError, request } from '@/components/live/request';
import { kubePath } from '@/components/resources/resource-path';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';
import { readYaml } from '@/lib/yaml/yaml';
import { conflictsOf, editableYaml } from './instance-yaml';

/** A running plan writes the Instance often; the guard then fails for no reason that matters. */
const ATTEMPTS = 5;

/** Sends a merge patch, guarded by the version in which the same places were looked at just before. */
export function useSaveYaml(row: InstanceRow, onSaved: () => void) {
  return useMutation({
    mutationFn: ({ patch, base }: { patch: JsonObject; base: string }) =>
      savePatch(kubePath({ ...topics.instances, namespace: row.namespace, name: row.name }), patch, base),
    onSuccess: onSaved,
  });
}

async function savePatch(path: string, patch: JsonObject, base: string): Promise<void> {
  const begun = readYaml(base);
  for (let attempt = 1; ; attempt++) {
    const current = await request<KubeObject>(path);
    const now = readYaml(editableYaml(current));
    const conflicts = begun.ok && now.ok ? conflictsOf(patch, begun.value, now.value) : [];
    if (conflicts.length > 0) {
      throw new RequestError(
        409,
        'Conflict',
        `Changed elsewhere meanwhile: ${conflicts.join(', ')}. Take the stored one, or undo these.`,
      );
    }
    try {
      const metadata = {
        ...(patch.metadata as JsonObject | undefined),
        resourceVersion: current.metadata.resourceVersion ?? '',
      };
      await request(`${path}?fieldManager=bravo-console`, {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: { ...patch, metadata },
      });
      return;
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 409 || attempt === ATTEMPTS) throw error;
    }
  }
}
