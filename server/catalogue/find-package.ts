import type { PackageDetail } from '@/lib/kudo/catalogue';
import { Refusal } from '@/server/http/problem';
import { runtime } from '@/server/runtime/runtime';
import { catalogueReader } from './reader';

/** The package that a route's address names. @throws Refusal 404 */
export async function findPackage({ name, version }: { name: string; version: string }): Promise<PackageDetail> {
  const detail = await catalogueReader(runtime().catalogue).detail(name, version);
  if (detail === undefined) {
    throw new Refusal(404, 'NotFound', `The catalogue has no operator ${name} in version ${version}.`);
  }
  return detail;
}
