import { INSTANCES_CRD } from '@/lib/kudo/installation/names';
import { eventually } from '@/test/engine/https-engine';
import { type Context, initWords } from './context';

/** Removes the installation with its CRDs and both namespaces. The programs of this machine end last, so that finalizers are served. */
export async function cleanUp(context: Context, bravo: (words: string[]) => Promise<unknown>): Promise<string> {
  const { api, home, work, started } = context;
  const namespaces = { group: '', version: 'v1', resource: 'namespaces' };
  await api.delete({ ...namespaces, name: work });
  await eventually(
    `namespace ${work} was deleted`,
    async () => (await api.get({ ...namespaces, name: work })) === undefined,
    180_000,
  );
  for (const running of started.splice(0)) await running.stop();
  await bravo([...initWords(context), '--remove', '--remove-crds'].filter((word) => word !== '--console'));
  await api.delete({ ...namespaces, name: home });
  await eventually(
    `namespace ${home} was deleted`,
    async () => (await api.get({ ...namespaces, name: home })) === undefined,
    180_000,
  );
  const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
  const left = await api.get({ ...crds, name: INSTANCES_CRD });
  if (left !== undefined) throw new Error(`CRD ${INSTANCES_CRD} was not removed`);
  return 'CRDs, roles and both namespaces were deleted';
}
