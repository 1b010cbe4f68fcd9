import { cloneJson, isJsonObject, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { writeYaml } from '@/lib/yaml/yaml';

/** What a file of exported objects has beside what people write. */
export interface ExportChoice {
  /** The status, and what the API server writes into metadata. */
  readonly withServerFields: boolean;
  readonly withSecrets: boolean;
}

/** Of the metadata: what only the server writes, and what belongs to this cluster. */
const SERVER_METADATA = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'ownerReferences',
] as const;

/** Annotations with a copy of the object, secrets included, and notes of controllers. */
const COPIES = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'kudo.dev/last-applied-configuration',
  'bravo.kudo.dev/acted-upon',
];

/**
 * Objects as one YAML text of several documents, which `kubectl apply` takes. Never with `managedFields`.
 *
 * @param isSecretParameter says of the parameters of an Instance which ones are secret
 */
export function exportedText(
  objects: readonly KubeObject[],
  choice: ExportChoice,
  isSecretParameter: (instance: KubeObject, name: string) => boolean,
): string {
  const isSecret = (object: KubeObject) => (name: string) => isSecretParameter(object, name);
  const documents = objects.map((object) => {
    const shown = choice.withSecrets ? object : withoutSecrets(object, isSecret(object));
    return writeYaml(ordered(choice.withServerFields ? withoutManagers(shown) : withoutServerFields(shown)));
  });
  return documents.map((text) => `---\n${text}`).join('');
}

function ordered({ apiVersion, kind, metadata, ...rest }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata, ...rest };
}

function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function withoutServerFields(object: KubeObject): KubeObject {
  const { status: _status, ...copy } = withoutManagers(object);
  const metadata = { ...object.metadata };
  delete metadata.managedFields;
  for (const key of SERVER_METADATA) delete (metadata as JsonObject)[key];
  return { ...copy, metadata: withoutCopies(metadata) } as KubeObject;
}

function withoutCopies(metadata: KubeObject['metadata']): KubeObject['metadata'] {
  const { annotations, ...rest } = metadata;
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !COPIES.includes(name));
  return kept.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(kept) };
}

function withoutSecrets(object: KubeObject, isSecret: (name: string) => boolean): KubeObject {
  const isInstance = object.kind === 'Instance' && object.apiVersion.startsWith('kudo.dev/');
  const isKubeSecret = object.kind === 'Secret' && object.apiVersion === 'v1';
  const copy = cloneJson(object) as KubeObject;
  copy.metadata = withoutCopies(copy.metadata);
  if (isKubeSecret) for (const field of ['data', 'stringData']) maskEach(copy[field], () => true);
  if (isInstance && isJsonObject(copy.spec)) maskEach(copy.spec.parameters, isSecret);
  return copy;
}

function maskEach(values: unknown, isSecret: (name: string) => boolean): void {
  if (!isJsonObject(values)) return;
  for (const name of Object.keys(values)) if (isSecret(name)) values[name] = SECRET_MARK;
}
