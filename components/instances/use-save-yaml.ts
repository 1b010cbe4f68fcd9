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

/** A running plan writes the Instance often, so that some writes conflict although nobody else edited it. */
const ATTEMPTS = 5;

/** Sends a merge patch with the resourceVersion of the Instance that was just read and checked for conflicts. */
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
        `Somebody else changed ${conflicts.join(', ')}. Load the stored version, or undo your changes there.`,
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
