import type { LiveObjects } from '@/lib/kudo/live-values/live-objects';
import type { OwnKind } from '@/lib/kudo/own-kinds/types';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { readLiveObjects } from '@/server/live-values/read-live-objects';
import type { OwnKindDeps } from './own-kind-deps';

/**
 * The objects that the status of a resource sees. One that does not exist, or may not be read, is absent: the expressions that need it say
 * so.
 *
 * @throws TransientError when the API server does not answer
 */
export async function readStatusObjects(
  { api, kinds }: OwnKindDeps,
  { objects = [] }: OwnKind,
  about: { readonly instance: Instance | undefined; readonly operatorVersion: OperatorVersion | undefined },
): Promise<LiveObjects> {
  const { instance, operatorVersion } = about;
  if (objects.length === 0 || instance === undefined || operatorVersion === undefined) return {};
  const found = await Promise.all(
    objects.map(async (read): Promise<LiveObjects> => {
      try {
        return (await readLiveObjects([{ ...read, optional: true }], { api, kinds, instance, operatorVersion }))
          .objects;
      } catch (error) {
        if (error instanceof RenderError) return {};
        throw error;
      }
    }),
  );
  return Object.assign({}, ...found);
}
