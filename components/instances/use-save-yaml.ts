'use client';

import { useMutation } from '@tanstack/react-query';
import { RequestError, request } from '@/components/live/request';
import { isUntried } from '@/components/resources/object-draft';
import { kubePath } from '@/components/resources/resource-path';
import type { SaveReview } from '@/components/resources/save/save-review';
import { messageOf } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { CONSOLE_MANAGER } from '@/lib/kube/ownership/revert';
import type { InstanceRow } from '@/lib/kudo/view/instance-row';
import { topics } from '@/lib/live/topic';
import { readYaml } from '@/lib/yaml/yaml';
import { conflictsOf, editableYaml, patched } from './instance-yaml';

/** An edit of the YAML of an Instance: what it changes, the text that it began with, and the edited one. */
interface YamlChange {
  readonly patch: JsonObject;
  readonly base: string;
  readonly text: string;
}

/** A running plan writes the Instance often, so that some writes conflict although nobody else edited it. */
const ATTEMPTS = 5;

/** Asks the API server by a dry run what an edit does. Secret values of the Instance stay masked. */
export function useReviewYaml(row: InstanceRow) {
  return useMutation({ mutationFn: (edit: YamlChange) => reviewEdit(row, edit) });
}

/** Sends a merge patch with the resourceVersion of the Instance that was just read and checked for conflicts. */
export function useSaveYaml(row: InstanceRow, onSaved: () => void) {
  return useMutation({ mutationFn: (edit: YamlChange) => saveEdit(row, edit), onSuccess: onSaved });
}

async function reviewEdit(row: InstanceRow, edit: YamlChange): Promise<SaveReview> {
  const { managedFields } = (await readUnconflicted(row, edit)).metadata;
  const { instance } = row;
  const before = { ...instance, metadata: { ...instance.metadata, ...(managedFields && { managedFields }) } };
  const edited = patched(instance, edit.patch);
  try {
    return { before, edited, result: await send(row, edit.patch, '&dryRun=All') };
  } catch (error) {
    if (!isUntried(error)) throw error;
    return { before, edited, result: edited, untried: messageOf(error) };
  }
}

async function saveEdit(row: InstanceRow, edit: YamlChange): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { resourceVersion = '' } = (await readUnconflicted(row, edit)).metadata;
    try {
      const metadata = { ...(edit.patch.metadata as JsonObject | undefined), resourceVersion };
      await send(row, { ...edit.patch, metadata }, '');
      return;
    } catch (error) {
      if (!(error instanceof RequestError) || error.status !== 409 || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The Instance as it is stored now. @throws RequestError when somebody changed what the edit changes, too */
async function readUnconflicted(row: InstanceRow, { patch, base }: YamlChange): Promise<KubeObject> {
  const current = await request<KubeObject>(pathOf(row));
  const [begun, now] = [readYaml(base), readYaml(editableYaml(current))];
  const conflicts = begun.ok && now.ok ? conflictsOf(patch, begun.value, now.value) : [];
  if (conflicts.length === 0) return current;
  const fields = conflicts.join(', ');
  throw new RequestError(
    409,
    'Conflict',
    `Somebody else changed ${fields}. Load the stored version, or undo your changes there.`,
  );
}

function send(row: InstanceRow, body: JsonObject, query: '' | '&dryRun=All'): Promise<KubeObject> {
  return request<KubeObject>(`${pathOf(row)}?fieldManager=${CONSOLE_MANAGER}${query}`, {
    method: 'PATCH',
    contentType: 'application/merge-patch+json',
    body,
  });
}

function pathOf({ namespace, name }: InstanceRow): string {
  return kubePath({ ...topics.instances, namespace, name });
}
