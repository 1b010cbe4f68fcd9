import { arrayAt, getAt, stringAt } from '@/lib/json/json';
import { type GroupVersionResource, type KubeObject, kindOf, nameOf, namespaceOf } from '../object';
import { type FieldPath, isSetByManager } from './set-fields';
import { isWriterOf, ownerNoun, type ToolOwner } from './tool-owner';

/**
 * What becomes of a change of an object that something else manages:
 * - `soon`: it is reverted within seconds, or in the stated interval
 * - `later`: it is reverted when the manager applies the object again
 * - `stays`: the manager does not set the field, or does not revert
 */
export interface Reversal {
  readonly when: 'soon' | 'later' | 'stays';
  /** One or two sentences that name the manager. */
  readonly text: string;
}

/** Where the object of a tool is that says how it synchronizes; undefined for Helm, which has none. */
export function ownerAddress({
  tool,
  name,
  namespace,
}: ToolOwner): (GroupVersionResource & { readonly namespace: string; readonly name: string }) | undefined {
  switch (tool) {
    case 'argocd':
      // Argo CD's own namespace by default; an Application elsewhere says so in the tracking id.
      return {
        group: 'argoproj.io',
        version: 'v1alpha1',
        resource: 'applications',
        namespace: namespace || 'argocd',
        name,
      };
    case 'flux-kustomization':
      return { group: 'kustomize.toolkit.fluxcd.io', version: 'v1', resource: 'kustomizations', namespace, name };
    case 'flux-helm':
      return { group: 'helm.toolkit.fluxcd.io', version: 'v2', resource: 'helmreleases', namespace, name };
    case 'helm':
      return undefined;
  }
}

/** A change of some fields of an object. */
interface FieldChange {
  /** As it is stored, with `managedFields` where they can be read. */
  readonly object: KubeObject;
  readonly fields: readonly FieldPath[];
}

/**
 * What a tool does with a change. @param source the Application, Kustomization or HelmRelease, where it can be read
 */
export function reversalBy(owner: ToolOwner, source: KubeObject | undefined, change: FieldChange): Reversal {
  const noun = ownerNoun(owner);
  if (change.fields.length > 0 && change.fields.every((path) => isForeign(owner, change.object, path))) {
    return { when: 'stays', text: `${noun} manages this object, but does not set ${fieldWords(change.fields)}.` };
  }
  switch (owner.tool) {
    case 'argocd':
      return byArgo(noun, source, change);
    case 'flux-kustomization':
      return byKustomization(noun, source, change.object);
    case 'flux-helm':
      return byHelmRelease(noun, source);
    case 'helm':
      return {
        when: 'later',
        text: `${noun} installed this object. The next helm upgrade sets the fields of its chart again.`,
      };
  }
}

function isForeign({ tool }: ToolOwner, object: KubeObject, path: FieldPath): boolean {
  return isSetByManager(object, (name) => isWriterOf(tool, name), path) === false;
}

function byArgo(noun: string, application: KubeObject | undefined, change: FieldChange): Reversal {
  if (application === undefined) {
    return {
      when: 'later',
      text: `${noun} manages this object. Its next sync reverts the change, with self-heal within seconds.`,
    };
  }
  if (change.fields.length > 0 && change.fields.every((path) => isIgnored(application, change.object, path))) {
    return {
      when: 'stays',
      text: `${noun} manages this object, and ignores differences of ${fieldWords(change.fields)}.`,
    };
  }
  const automated = getAt(application, 'spec', 'syncPolicy', 'automated');
  const isOn = automated !== undefined && automated !== null && getAt(automated, 'enabled') !== false;
  if (isOn && getAt(automated, 'selfHeal') === true) {
    return { when: 'soon', text: `${noun} manages this object. Its self-heal reverts the change within seconds.` };
  }
  return isOn
    ? { when: 'later', text: `${noun} manages this object. The next commit starts a sync, which reverts the change.` }
    : {
        when: 'later',
        text: `${noun} manages this object. It will be OutOfSync, and the next sync reverts the change.`,
      };
}

/** `spec.ignoreDifferences`: JSON pointers, or the writes of field managers, of objects of a kind. */
function isIgnored(application: KubeObject, object: KubeObject, path: FieldPath): boolean {
  const { group, kind } = kindOf(object);
  const pointer = `/${path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
  return arrayAt(application, 'spec', 'ignoreDifferences').some((rule) => {
    const fits = (key: string, value: string) => {
      const wanted = stringAt(rule, key);
      return wanted === undefined || wanted === '' || wanted === '*' || wanted === value;
    };
    const isOfObject =
      fits('group', group) &&
      fits('kind', kind) &&
      fits('name', nameOf(object)) &&
      fits('namespace', namespaceOf(object));
    if (!isOfObject || (stringAt(rule, 'group') === undefined && group !== '')) return false;
    const isNamed = arrayAt(rule, 'jsonPointers').some(
      (each) => pointer === each || pointer.startsWith(`${String(each)}/`),
    );
    // The change is written by this console.
    return isNamed || arrayAt(rule, 'managedFieldsManagers').includes(CONSOLE_MANAGER);
  });
}

/** The field manager of everything that a person changes in the console. */
export const CONSOLE_MANAGER = 'bravo-console';

function byKustomization(noun: string, source: KubeObject | undefined, object: KubeObject): Reversal {
  const { annotations = {}, labels = {} } = object.metadata;
  const isSaid = (key: string, value: string) =>
    [annotations[key], labels[key]].some((each) => each?.toLowerCase() === value.toLowerCase());
  if (isSaid(`${FLUX}/reconcile`, 'disabled') || isSaid(`${FLUX}/ssa`, 'Ignore')) {
    return { when: 'stays', text: `${noun} manages this object, but its annotation tells Flux to leave it alone.` };
  }
  if (isSaid(`${FLUX}/ssa`, 'IfNotPresent')) {
    return { when: 'stays', text: `${noun} created this object, and does not change it afterwards.` };
  }
  if (getAt(source, 'spec', 'suspend') === true) {
    return {
      when: 'later',
      text: `${noun} manages this object and is suspended. It reverts the change when it is resumed.`,
    };
  }
  return { when: 'soon', text: `${noun} manages this object. It reverts the change ${intervalWords(source)}.` };
}

const FLUX = 'kustomize.toolkit.fluxcd.io';

function byHelmRelease(noun: string, source: KubeObject | undefined): Reversal {
  if (getAt(source, 'spec', 'suspend') === true) {
    return {
      when: 'later',
      text: `${noun} manages this object and is suspended. The next upgrade after it is resumed reverts the change.`,
    };
  }
  if (stringAt(source, 'spec', 'driftDetection', 'mode') === 'enabled') {
    return {
      when: 'soon',
      text: `${noun} manages this object. Its drift detection reverts the change ${intervalWords(source)}.`,
    };
  }
  return { when: 'later', text: `${noun} manages this object. The next upgrade of the release reverts the change.` };
}

function intervalWords(source: KubeObject | undefined): string {
  const interval = stringAt(source, 'spec', 'interval');
  return interval === undefined ? 'at its next reconcile' : `within ${interval}`;
}

/** `spec.replicas`, `spec.template.metadata.annotations["a.b/c"]`; of many the first two. */
export function fieldWords(fields: readonly FieldPath[]): string {
  const names = fields.map(formatFieldPath);
  const more = names.length > 2 ? ` and ${names.length - 2} more fields` : '';
  return `${names.slice(0, 2).join(' and ')}${more}`;
}

/** As Kubernetes writes paths; keys with dots or slashes in brackets. */
export function formatFieldPath(path: FieldPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!/^[A-Za-z0-9_-]+$/.test(step)) return `${text}["${step}"]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
