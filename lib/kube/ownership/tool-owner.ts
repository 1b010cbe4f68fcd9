import { stringAt } from '@/lib/json/json';
import { controllerOf, type KubeObject, kindOf, nameOf, namespaceOf, type ObjectMeta } from '../object';

/**
 * A tool outside of the cluster's controllers that applies an object again and again:
 * - `argocd`: an Application of Argo CD. Its namespace is known only where Applications live in many.
 * - `flux-kustomization`, `flux-helm`: a Kustomization or a HelmRelease of Flux.
 * - `helm`: a release that a person or a pipeline installs with `helm`.
 */
export interface ToolOwner {
  readonly tool: 'argocd' | 'flux-kustomization' | 'flux-helm' | 'helm';
  readonly name: string;
  /** Of the Application, Kustomization, HelmRelease or release; empty where the object does not say. */
  readonly namespace: string;
}

type Metadata = Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>;

const ARGO_LABEL = 'argocd.argoproj.io/instance';
/** Tracks by label where Argo CD is set up so, as it was before 3.0; many Helm charts set it too. */
const INSTANCE_LABEL_OF_APPS = 'app.kubernetes.io/instance';
const ARGO_TRACKING = 'argocd.argoproj.io/tracking-id';
const KUSTOMIZE = 'kustomize.toolkit.fluxcd.io';
const FLUX_HELM = 'helm.toolkit.fluxcd.io';
const MANAGED_BY = 'app.kubernetes.io/managed-by';
const RELEASE = 'meta.helm.sh/release-name';
const RELEASE_NAMESPACE = 'meta.helm.sh/release-namespace';

const MARK_LABELS: readonly string[] = [
  ARGO_LABEL,
  INSTANCE_LABEL_OF_APPS,
  MANAGED_BY,
  ...[KUSTOMIZE, FLUX_HELM].flatMap((group) => [`${group}/name`, `${group}/namespace`]),
];
const MARK_ANNOTATIONS: readonly string[] = [ARGO_TRACKING, RELEASE, RELEASE_NAMESPACE];

/** The field managers under which each tool writes. */
const WRITERS: { readonly [tool in ToolOwner['tool']]: RegExp } = {
  argocd: /^argocd-(controller|application-controller|server)$/,
  'flux-kustomization': /^kustomize-controller$/,
  'flux-helm': /^helm-controller$/,
  helm: /^helm$/i,
};

/** True for a field manager under which this tool writes. */
export function isWriterOf(tool: ToolOwner['tool'], fieldManager: string): boolean {
  return WRITERS[tool].test(fieldManager);
}

/**
 * The tools that apply an object, as its labels, annotations and field managers say. Marks that controllers copy are not believed: an
 * object with a controller belongs to that controller, unless its tracking id names the object itself.
 */
export function toolOwners(object: Metadata): readonly ToolOwner[] {
  const argo = argoOwner(object);
  const found = argo === undefined ? [] : [argo];
  if (controllerOf(object) !== undefined) return found;
  const { labels = {} } = object.metadata;
  const kustomization = fluxOwner('flux-kustomization', KUSTOMIZE, labels);
  if (kustomization !== undefined) found.push(kustomization);
  const release = fluxOwner('flux-helm', FLUX_HELM, labels) ?? helmOwner(object.metadata);
  if (release !== undefined) found.push(release);
  return found;
}

function argoOwner(object: Metadata): ToolOwner | undefined {
  const { labels = {}, annotations = {} } = object.metadata;
  const tracked = trackedBy(annotations[ARGO_TRACKING], object);
  if (tracked !== undefined) return tracked;
  if (controllerOf(object) !== undefined) return undefined;
  const label =
    labels[ARGO_LABEL] ?? (fieldManagersOf(object).some(isArgo) ? labels[INSTANCE_LABEL_OF_APPS] : undefined);
  return label === undefined || label === '' ? undefined : { tool: 'argocd', name: label, namespace: '' };
}

const isArgo = (manager: string) => isWriterOf('argocd', manager);

/**
 * `shop:apps/Deployment:prod/web`, with `NAMESPACE_` before the name of an Application outside of Argo CD's namespace. An id that names
 * another object was copied, and Argo CD ignores it.
 */
function trackedBy(id: string | undefined, object: Metadata): ToolOwner | undefined {
  const [, app, group, kind, namespace, name] = /^([^:]+):([^/:]*)\/([^:]+):([^/]*)\/(.+)$/.exec(id ?? '') ?? [];
  if (app === undefined || kind !== object.kind || group !== kindOf(object).group) return undefined;
  if (name !== nameOf(object)) return undefined;
  // Of a cluster-scoped object, Argo CD writes the namespace of the Application's destination.
  if (namespaceOf(object) !== '' && namespace !== namespaceOf(object)) return undefined;
  const at = app.indexOf('_');
  return { tool: 'argocd', name: app.slice(at + 1), namespace: at < 0 ? '' : app.slice(0, at) };
}

function fluxOwner(
  tool: ToolOwner['tool'],
  group: string,
  labels: { readonly [key: string]: string },
): ToolOwner | undefined {
  const name = labels[`${group}/name`];
  return name === undefined ? undefined : { tool, name, namespace: labels[`${group}/namespace`] ?? '' };
}

/** Charts set the label by themselves; only Helm writes the annotation. */
function helmOwner({ annotations = {} }: ObjectMeta): ToolOwner | undefined {
  const name = annotations[RELEASE];
  return name === undefined ? undefined : { tool: 'helm', name, namespace: annotations[RELEASE_NAMESPACE] ?? '' };
}

/** The names in `managedFields`, each once. */
function fieldManagersOf({ metadata }: Pick<KubeObject, 'metadata'>): readonly string[] {
  return [...new Set((metadata.managedFields ?? []).map((entry) => stringAt(entry, 'manager') ?? ''))];
}

/**
 * What {@link toolOwners} reads of an object's metadata, and nothing else; empty for an object that no tool owns. Of `managedFields`
 * only the names of the tools remain.
 */
export function ownershipMarks(object: Metadata): Pick<ObjectMeta, 'labels' | 'annotations' | 'managedFields'> {
  if (toolOwners(object).length === 0) return {};
  const { labels = {}, annotations = {} } = object.metadata;
  return {
    labels: among(labels, (key) => MARK_LABELS.includes(key)),
    annotations: among(annotations, (key) => MARK_ANNOTATIONS.includes(key)),
    ...toolManagers(object),
  };
}

/** The entries of `managedFields` that name a tool, reduced to the name: what the event stream keeps of them. */
export function toolManagers(object: Pick<KubeObject, 'metadata'>): Pick<ObjectMeta, 'managedFields'> {
  const names = fieldManagersOf(object).filter(isArgo);
  return names.length === 0 ? {} : { managedFields: names.map((manager) => ({ manager })) };
}

/** Metadata of a copy of an object, which no tool shall take for its own. */
export function withoutOwnershipMarks({ labels, annotations, ...rest }: ObjectMeta): ObjectMeta {
  return {
    ...rest,
    labels: among(labels, (key) => !MARK_LABELS.includes(key)),
    annotations: among(annotations, (key) => !MARK_ANNOTATIONS.includes(key)),
  };
}

function among(from: { [key: string]: string } = {}, isKept: (key: string) => boolean): { [key: string]: string } {
  return Object.fromEntries(Object.entries(from).filter(([key]) => isKept(key)));
}

const NOUNS: { readonly [tool in ToolOwner['tool']]: string } = {
  argocd: 'Argo CD',
  'flux-kustomization': 'Flux',
  'flux-helm': 'Flux',
  helm: 'Helm',
};

/** `Argo CD: shop`, for a badge. */
export function ownerBadge({ tool, name }: ToolOwner): string {
  return `${NOUNS[tool]}: ${name}`;
}

/** The owner as a noun in a sentence: `Argo CD (Application shop)`. */
export function ownerNoun({ tool, name, namespace }: ToolOwner): string {
  const at = namespace === '' ? name : `${namespace}/${name}`;
  if (tool === 'argocd') return `Argo CD (Application ${at})`;
  if (tool === 'helm') return `Helm (release ${at})`;
  return `Flux (${tool === 'flux-helm' ? 'HelmRelease' : 'Kustomization'} ${at})`;
}
