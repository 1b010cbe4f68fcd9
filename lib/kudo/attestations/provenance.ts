import type { JsonObject, JsonValue } from '@/lib/json/json';
import type { OperatorPackage } from '../package/types';
import type { PackageOrigin, PackedArchive } from './source';

/** Who packs, and how (SLSA "builder.id" and "buildType"). */
const BUILDER = 'https://bravo.kudo.dev/cli';
const BUILD_TYPE = 'https://bravo.kudo.dev/package/v1';

/**
 * Where an archive comes from: an in-toto statement (v1) with SLSA provenance (v1). It has no times, so that the same source gives the
 * same text.
 *
 * @param origin undefined when the archive was packed before
 * @param version of Bravo
 */
export function packageProvenance(
  { operator }: OperatorPackage,
  archive: PackedArchive,
  origin: PackageOrigin | undefined,
  version: string,
): JsonObject {
  const { name, operatorVersion, appVersion = '' } = operator;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: archive.fileName, digest: { sha256: archive.sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { name, operatorVersion, ...(appVersion === '' ? {} : { appVersion }) },
        resolvedDependencies: origin === undefined ? [] : sourcesOf(origin),
      },
      runDetails: { builder: { id: BUILDER, version: { bravo: version } } },
    },
  };
}

function sourcesOf({ dirHash, git }: PackageOrigin): JsonValue[] {
  const folder: JsonObject = { name: 'package folder', digest: { dirHash } };
  if (git === undefined) return [folder];
  const { commit, remote, isDirty } = git;
  return [
    folder,
    {
      name: 'git',
      ...(remote === undefined ? {} : { uri: `git+${remote}` }),
      digest: { gitCommit: commit },
      annotations: { uncommittedChanges: isDirty },
    },
  ];
}
