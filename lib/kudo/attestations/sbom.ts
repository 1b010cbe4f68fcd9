import type { JsonObject } from '@/lib/json/json';
import type { OperatorPackage } from '../package/types';
import { type PackageImage, packageImages } from './images';
import type { PackageOrigin, PackedArchive } from './source';

/** The moment of an SBOM whose source has none: SPDX wants one, and the same source must give the same text. */
const NO_TIME = '1970-01-01T00:00:00Z';

/** Another package: what `extends` or a KudoOperator task names. */
export interface NamedPackage {
  readonly name: string;
  /** A version or a range; empty when none is given. */
  readonly version: string;
}

export interface SbomInput {
  readonly package: OperatorPackage;
  readonly archive: PackedArchive;
  readonly origin: PackageOrigin | undefined;
  /** What the package extends. */
  readonly base?: NamedPackage | undefined;
  /** Of Bravo. */
  readonly version: string;
}

/** What a package consists of, in SPDX 2.3: itself, the images of its templates, the packages that it depends on, and the one that it extends. */
export function packageSbom({ package: pkg, archive, origin, base, version }: SbomInput): JsonObject {
  const { name, operatorVersion, appVersion = '', url } = pkg.operator;
  const own: JsonObject = {
    SPDXID: 'SPDXRef-package',
    name,
    versionInfo: appVersion === '' ? operatorVersion : `${appVersion}-${operatorVersion}`,
    packageFileName: archive.fileName,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    checksums: [{ algorithm: 'SHA256', checksumValue: archive.sha256 }],
    ...(url === undefined || url === '' ? {} : { homepage: url }),
  };
  const images = packageImages(pkg).map((image, at) => imagePackage(image, `SPDXRef-image-${at + 1}`));
  const others = dependenciesOf(pkg).map((each, at) => otherPackage(each, `SPDXRef-dependency-${at + 1}`));
  const bases = base === undefined ? [] : [otherPackage(base, 'SPDXRef-base')];
  const relation = (relationshipType: string, to: JsonObject): JsonObject => ({
    spdxElementId: 'SPDXRef-package',
    relationshipType,
    relatedSpdxElement: to.SPDXID ?? '',
  });
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: archive.fileName,
    documentNamespace: `https://bravo.kudo.dev/spdx/${archive.fileName}-${archive.sha256}`,
    creationInfo: { created: origin?.git?.time ?? NO_TIME, creators: [`Tool: bravo-${version}`] },
    packages: [own, ...images, ...others, ...bases],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-package' },
      ...[...images, ...others].map((each) => relation('DEPENDS_ON', each)),
      ...bases.map((each) => relation('DESCENDANT_OF', each)),
    ],
  };
}

function imagePackage({ name, tag, digest }: PackageImage, id: string): JsonObject {
  const hex = digest.slice('sha256:'.length);
  const last = name.slice(name.lastIndexOf('/') + 1);
  const isKnown = !name.includes('{{');
  const repository = `repository_url=${encodeURIComponent(name)}`;
  const purl =
    digest === ''
      ? `pkg:docker/${encodeURIComponent(last)}@${encodeURIComponent(tag || 'latest')}?${repository}`
      : `pkg:oci/${encodeURIComponent(last)}@${encodeURIComponent(digest)}?${repository}`;
  return {
    SPDXID: id,
    name,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    primaryPackagePurpose: 'CONTAINER',
    ...(tag === '' ? {} : { versionInfo: tag }),
    ...(digest === '' ? {} : { checksums: [{ algorithm: 'SHA256', checksumValue: hex }] }),
    ...(isKnown
      ? { externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }] }
      : { comment: 'The template computes the name.' }),
  };
}

function otherPackage({ name, version }: NamedPackage, id: string): JsonObject {
  return {
    SPDXID: id,
    name,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    ...(version === '' ? {} : { versionInfo: version }),
  };
}

/** The packages of KudoOperator tasks, in the order of the tasks. */
function dependenciesOf({ operator }: OperatorPackage): NamedPackage[] {
  return operator.tasks.flatMap(({ kind, spec = {} }) => {
    if (kind !== 'KudoOperator' || spec.package === undefined) return [];
    const versions = [spec.appVersion ?? '', spec.operatorVersion ?? ''].filter((each) => each !== '');
    return [{ name: spec.package, version: versions.join('-') }];
  });
}
