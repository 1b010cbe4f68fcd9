import { isJsonObject, type JsonObject, stringAt } from '@/lib/json/json';
import { packageProvenance } from '@/lib/kudo/attestations/provenance';
import { type NamedPackage, packageSbom } from '@/lib/kudo/attestations/sbom';
import type { PackedArchive } from '@/lib/kudo/attestations/source';
import { packageFileName } from '@/lib/kudo/names';
import { packageRoot } from '@/lib/kudo/package/parse-package';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import type { LoadedPackage } from './loaded-package';
import { sha256Hex } from './oci/digest';
import { packageOrigin } from './package-origin';
import { readPackageArchive } from './read-archive';

/** What is said of an archive, beside it or attached to it. Both are JSON. */
export interface Attestations {
  /** An in-toto statement with SLSA provenance. */
  readonly provenance: string;
  /** SPDX. */
  readonly sbom: string;
}

/** The files beside a `.tgz`. */
export const PROVENANCE_SUFFIX = '.provenance.json';
export const SBOM_SUFFIX = '.sbom.json';

/**
 * Describes an archive. The folder that it was packed from is described when the package was loaded from one.
 *
 * @param version of Bravo
 */
export async function attest(loaded: LoadedPackage, archive: Uint8Array, version: string): Promise<Attestations> {
  const { name, operatorVersion, appVersion } = loaded.package.operator;
  const packed: PackedArchive = {
    fileName: packageFileName(name, operatorVersion, appVersion),
    sha256: sha256Hex(archive),
  };
  const origin = loaded.scope.kind === 'folder' ? await packageOrigin(loaded.scope.path) : undefined;
  const base = await baseOf(archive);
  return {
    provenance: text(packageProvenance(loaded.package, packed, origin, version)),
    sbom: text(packageSbom({ package: loaded.package, archive: packed, origin, base, version })),
  };
}

/** What `extends` of operator.yaml names. */
async function baseOf(archive: Uint8Array): Promise<NamedPackage | undefined> {
  const read = readYamlAsKubernetes(packageRoot(await readPackageArchive(archive)).get('operator.yaml') ?? '');
  const extended = read.ok && isJsonObject(read.value) ? read.value.extends : undefined;
  const name = stringAt(extended, 'operator');
  return name === undefined ? undefined : { name, version: stringAt(extended, 'version') ?? '' };
}

const text = (value: JsonObject): string => `${JSON.stringify(value, null, 2)}\n`;
