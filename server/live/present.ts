import { cloneJson, isJsonObject, type JsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { toolManagers } from '@/lib/kube/ownership/tool-owner';
import { type ParameterSchema, parameterSchemaOf } from '@/lib/kudo/parameters/parameter-schema';
import { isSecretParameter } from '@/lib/kudo/parameters/parameters';
import { hasUnseenChange } from '@/lib/kudo/plan/acted-upon';
import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';
import { actedUpon } from '@/lib/kudo/plan/acted-upon-record';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import { SECRET_MARK } from '@/lib/live/secret-mark';
import { START_MARK_ANNOTATION } from '@/lib/live/start-mark';
import { UNSEEN_MARK } from '@/lib/live/unseen-mark';

export { SECRET_MARK };

/** Annotations that repeat the whole object, secrets included. */
const COPIES = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'kudo.dev/last-applied-configuration',
  ACTED_UPON_ANNOTATION,
];

/** Finds what an Instance's OperatorVersion says of its parameters; undefined when it is not known (yet). */
export type FindSchema = (instance: Instance) => ParameterSchema | undefined;

/**
 * An object as it is shown: without `managedFields` (but for the names of tools outside), and without any secret value (data of Secrets, secret parameters of
 * Instances and their defaults). Templates of OperatorVersions are left out of lists too: they are large, and pages that
 * show them ask for them. The given object is not changed.
 */
export function presentObject(object: KubeObject, findSchema: FindSchema): KubeObject {
  const shown = withoutNoise(object);
  if (object.kind === 'Secret' && object.apiVersion === 'v1') return maskSecret(shown);
  if (object.apiVersion.startsWith('kudo.dev/')) {
    if (object.kind === 'Instance') return maskInstance(shown as Instance, findSchema(object as Instance));
    if (object.kind === 'OperatorVersion') return slimOperatorVersion(shown as OperatorVersion);
  }
  if (object.kind === 'CustomResourceDefinition') return slimDefinition(shown);
  return shown;
}

/** Without the schemas, which are most of a CRD: pages that need one read the cluster's OpenAPI document. */
function slimDefinition(definition: KubeObject): KubeObject {
  const { spec } = definition;
  if (!isJsonObject(spec) || !Array.isArray(spec.versions)) return definition;
  const versions = spec.versions.map((version) => {
    if (!isJsonObject(version)) return version;
    const { schema: _, ...rest } = version;
    return rest;
  });
  return { ...maskCopies(definition), spec: { ...spec, versions } };
}

function withoutNoise(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  // Of the field managers only Argo CD's remains: a label of its own may be all else that says it manages the object.
  return { ...object, metadata: { ...metadata, ...toolManagers(object) } };
}

function maskSecret(secret: KubeObject): KubeObject {
  const masked = maskCopies(secret);
  for (const field of ['data', 'stringData']) {
    const values = masked[field];
    if (isJsonObject(values)) masked[field] = maskAll(values);
  }
  return masked;
}

function maskAll(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(values).map((key) => [key, SECRET_MARK]));
}

/** A copy in another form could hold any secret of the object: it is marked as a whole. */
function maskCopies(object: KubeObject): KubeObject {
  const { annotations } = object.metadata;
  if (annotations === undefined || !COPIES.some((name) => name in annotations)) return { ...object };
  const kept = Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [name, COPIES.includes(name) ? SECRET_MARK : value]),
  );
  return { ...object, metadata: { ...object.metadata, annotations: kept } };
}

function maskInstance(instance: Instance, schema: ParameterSchema | undefined): KubeObject {
  const { parameters = {} } = instance.spec ?? {};
  const secrets = Object.keys(parameters).filter((name) => isSecretParameter(name, schema));
  // A copy may still hold a secret that the spec does not (any more), so it is masked in any case.
  const masked = maskCopies(instance) as Instance;
  if (hasUnseenChange(instance)) {
    const annotations = { ...masked.metadata.annotations, [ACTED_UPON_ANNOTATION]: UNSEEN_MARK };
    masked.metadata = { ...masked.metadata, annotations };
  }
  const { uid, startedAt } = actedUpon(instance) ?? {};
  if (uid !== undefined && uid === instance.spec?.planExecution?.uid && startedAt !== undefined) {
    const annotations = { ...masked.metadata.annotations, [START_MARK_ANNOTATION]: `${uid} ${startedAt}` };
    masked.metadata = { ...masked.metadata, annotations };
  }
  if (secrets.length === 0) return masked;
  const shown = { ...parameters, ...Object.fromEntries(secrets.map((name) => [name, SECRET_MARK])) };
  return { ...masked, spec: { ...masked.spec, parameters: shown } };
}

function slimOperatorVersion(version: OperatorVersion): KubeObject {
  const schema = parameterSchemaOf(version);
  const spec = cloneJson({ ...version.spec, templates: undefined });
  for (const parameter of spec.parameters ?? []) {
    if (parameter.default !== undefined && parameter.default !== '' && isSecretParameter(parameter.name, schema)) {
      parameter.default = SECRET_MARK;
    }
  }
  const templates = Object.fromEntries(Object.keys(version.spec?.templates ?? {}).map((name) => [name, '']));
  return { ...version, spec: { ...spec, templates } };
}
