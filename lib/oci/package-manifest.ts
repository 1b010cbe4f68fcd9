import { TerminalError } from '@/lib/errors/errors';
import type { JsonObject } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { packageFileName } from '../kudo/names';
import type { OperatorPackage } from '../kudo/package/types';
import type { Descriptor, Manifest } from './manifest';

/** What an operator package is in a registry: one layer, the `.tgz`, and a summary of operator.yaml as the configuration. */
export const PACKAGE_TYPE = 'application/vnd.kudo.package.v1';
export const PACKAGE_CONFIG_TYPE = 'application/vnd.kudo.package.config.v1+json';
export const PACKAGE_LAYER_TYPE = 'application/vnd.kudo.package.content.v1.tar+gzip';

const OPERATOR_VERSION = 'dev.kudo.package.operator-version';
const APP_VERSION = 'dev.kudo.package.app-version';
const NAME = 'org.opencontainers.image.title';
const DESCRIPTION = 'org.opencontainers.image.description';

/** What lists show of a version in a registry. */
export interface PackageVersion {
  readonly name: string;
  readonly operatorVersion: string;
  /** Empty when the package has none. */
  readonly appVersion: string;
  readonly description: string;
  readonly layer: Descriptor;
}

/** The configuration blob, as JSON: what operator.yaml and params.yaml say, without templates. */
export function packageConfig({ operator, parameters }: OperatorPackage): JsonObject {
  const { name, operatorVersion, appVersion, kubernetesVersion, kudoVersion, description, url, maintainers } = operator;
  const texts = { appVersion, kubernetesVersion, kudoVersion, description, url };
  return {
    name,
    operatorVersion,
    ...Object.fromEntries(Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    maintainers: maintainers.map(({ name: who = '', email = '' }) => ({ name: who, email })),
    plans: Object.keys(operator.plans),
    parameters: parameters.map((each) => each.name),
  };
}

/** The manifest of a package: the same for the same archive. */
export function packageManifest({ operator }: OperatorPackage, config: Descriptor, layer: Descriptor): Manifest {
  const { name, operatorVersion, appVersion = '', description = '' } = operator;
  const title = packageFileName(name, operatorVersion, appVersion);
  return {
    artifactType: PACKAGE_TYPE,
    config,
    layers: [{ ...layer, annotations: { [NAME]: title } }],
    annotations: {
      [NAME]: name,
      [OPERATOR_VERSION]: operatorVersion,
      ...(appVersion === '' ? {} : { [APP_VERSION]: appVersion }),
      ...(description === '' ? {} : { [DESCRIPTION]: description }),
    },
  };
}

/** The version that a manifest is of; undefined when it is of something else. */
export function packageVersionOf({ artifactType, layers, annotations }: Manifest): PackageVersion | undefined {
  const [layer] = layers;
  const { [NAME]: name = '', [OPERATOR_VERSION]: operatorVersion = '', [APP_VERSION]: appVersion = '' } = annotations;
  const isPackage = artifactType === PACKAGE_TYPE && layers.length === 1 && layer?.mediaType === PACKAGE_LAYER_TYPE;
  if (!isPackage || name === '' || operatorVersion === '') return undefined;
  return { name, operatorVersion, appVersion, description: annotations[DESCRIPTION] ?? '', layer };
}

/** The layer with the archive. @throws TerminalError when the manifest is not of an operator package, or its archive is too large */
export function packageLayer(manifest: Manifest, place: string): Descriptor {
  const { artifactType } = manifest;
  const version = packageVersionOf(manifest);
  if (version === undefined) {
    const message = `${place} is not an operator package: its artifact type is ${artifactType.slice(0, 100)}, not ${PACKAGE_TYPE} with one layer.`;
    throw new TerminalError(message, 'PackageInvalid');
  }
  if (version.layer.size <= limits.packageArchiveBytes) return version.layer;
  throw new TerminalError(`${place} is larger than ${limits.packageArchiveBytes} bytes.`, 'PackageInvalid');
}
