'use client';

import { useMutation } from '@tanstack/react-query';
import { RequestError, request } from '@/components/live/request';
import type { DraftChange } from '@/components/parameters/parameter-draft';
import { showToast } from '@/components/ui/toast';
import type { KubeObject } from '@/lib/kube/object';
import { resourceSpecPatch } from '@/lib/kudo/own-kinds/spec-form';
import type { FormField } from '@/lib/kudo/view/form-model';
import type { ObjectAddress } from '../object-draft';
import { kubePath } from '../resource-path';

interface SpecEdit {
  readonly fields: readonly FormField[];
  readonly changes: readonly DraftChange[];
}

/** Nothing was refused. */
const NONE: RequestError['causes'] = [];

/** Saves edited fields of the spec of the resource that the person saw, with their rights. The caller shows the error. */
export function useSaveSpec({ type, namespace, name }: ObjectAddress, object: KubeObject, onSaved: () => void) {
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: ({ fields, changes }: SpecEdit) => {
      const spec = resourceSpecPatch(fields, new Map(changes.map(({ field, to }) => [field.name, to])));
      const path = kubePath({ ...type, ...(namespace === '' ? {} : { namespace }), name });
      return request(`${path}?fieldManager=bravo-console`, {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: { metadata: { uid: object.metadata.uid ?? '' }, spec },
      });
    },
    onSuccess: () => {
      onSaved();
      showToast({ tone: 'ok', title: `${object.kind} ${name} was changed` });
    },
  });
  return { mutate, error, isPending, reset, causes: error instanceof RequestError ? error.causes : NONE };
}
