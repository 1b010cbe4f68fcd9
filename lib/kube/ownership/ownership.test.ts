import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../object';
import { reversalByAutoscaler, reversalByController } from './controller-reversal';
import { formatFieldPath, reversalBy } from './revert';
import { isSetByManager } from './set-fields';
import {
  ownerBadge,
  ownershipMarks,
  type ToolOwner,
  toolManagers,
  toolOwners,
  withoutOwnershipMarks,
} from './tool-owner';

const deployment = (metadata: KubeObject['metadata'], rest: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'prod', ...metadata },
  ...rest,
});
const badges = (metadata: KubeObject['metadata']) => toolOwners(deployment(metadata)).map(ownerBadge);
const tracking = (id: string) => ({ annotations: { 'argocd.argoproj.io/tracking-id': id } });
const CONTROLLER = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u', controller: true };

describe('the tools that manage an object', () => {
  it('are Argo CD by its tracking id, if that names the object itself', () => {
    expect(badges(tracking('shop:apps/Deployment:prod/web'))).toEqual(['Argo CD: shop']);
    expect(toolOwners(deployment(tracking('team-a_shop:apps/Deployment:prod/web')))).toEqual([
      { tool: 'argocd', name: 'shop', namespace: 'team-a' },
    ]);
    // Controllers copy annotations.
    expect(badges(tracking('shop:apps/Deployment:prod/other'))).toEqual([]);
    expect(badges(tracking('shop:apps/Deployment:test/web'))).toEqual([]);
    expect(badges(tracking('nonsense'))).toEqual([]);
  });

  it('are Argo CD by its label, and by the common label only where Argo CD wrote the object', () => {
    expect(badges({ labels: { 'argocd.argoproj.io/instance': 'shop' } })).toEqual(['Argo CD: shop']);
    const labels = { 'app.kubernetes.io/instance': 'shop' };
    expect(badges({ labels })).toEqual([]);
    expect(badges({ labels, managedFields: [{ manager: 'argocd-controller', operation: 'Apply' }] })).toEqual([
      'Argo CD: shop',
    ]);
  });

  it('are Flux and Helm by their marks; a HelmRelease is named instead of its release', () => {
    const flux = (group: string) => ({
      [`${group}.toolkit.fluxcd.io/name`]: 'apps',
      [`${group}.toolkit.fluxcd.io/namespace`]: 'flux',
    });
    const helm = { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'prod' };
    expect(toolOwners(deployment({ labels: flux('kustomize') }))).toEqual([
      { tool: 'flux-kustomization', name: 'apps', namespace: 'flux' },
    ]);
    expect(badges({ labels: flux('helm'), annotations: helm })).toEqual(['Flux: apps']);
    expect(badges({ annotations: helm })).toEqual(['Helm: web']);
    expect(badges({ labels: { 'app.kubernetes.io/managed-by': 'Helm' } })).toEqual([]);
  });

  it('are none for an object that a controller made from a template with such marks', () => {
    const annotations = { 'meta.helm.sh/release-name': 'web' };
    expect(badges({ annotations, ownerReferences: [CONTROLLER] })).toEqual([]);
  });

  it('are found again in the marks alone, which hold nothing else', () => {
    const metadata = {
      labels: { 'app.kubernetes.io/instance': 'shop', app: 'web' },
      annotations: { note: 'x' },
      managedFields: [{ manager: 'argocd-controller', fieldsV1: { 'f:spec': {} } }, { manager: 'kubectl' }],
    };
    const marks = ownershipMarks(deployment(metadata));
    expect(marks).toEqual({
      labels: { 'app.kubernetes.io/instance': 'shop' },
      annotations: {},
      managedFields: [{ manager: 'argocd-controller' }],
    });
    expect(badges({ ...marks })).toEqual(['Argo CD: shop']);
    expect(ownershipMarks(deployment({ labels: { app: 'web' } }))).toEqual({});
    expect(toolManagers(deployment({ managedFields: [{ manager: 'kubectl' }] }))).toEqual({});
    expect(withoutOwnershipMarks(metadata).labels).toEqual({ app: 'web' });
  });
});

describe('whether a manager set a field', () => {
  const fieldsV1 = {
    'f:spec': {
      'f:replicas': {},
      'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {} } } } },
    },
    'f:metadata': { 'f:annotations': { '.': {}, 'f:note': {} } },
  };
  const object = deployment(
    { managedFields: [{ manager: 'argocd-controller', operation: 'Update', fieldsV1 }] },
    { spec: { template: { spec: { containers: [{ name: 'log' }, { name: 'web', image: 'a' }] } } } },
  );
  const isSet = (...path: (string | number)[]) => isSetByManager(object, (name) => name.startsWith('argocd'), path);

  it('follows keys, and elements of lists by their merge key', () => {
    expect(isSet('spec', 'replicas')).toBe(true);
    expect(isSet('spec', 'paused')).toBe(false);
    expect(isSet('spec', 'template')).toBe(true);
    expect(isSet('spec', 'template', 'spec', 'containers', 1, 'image')).toBe(true);
    expect(isSet('spec', 'template', 'spec', 'containers', 0, 'image')).toBe(false);
    expect(isSet('metadata', 'annotations', 'other')).toBe(false);
  });

  it('is not known without the fields', () => {
    expect(
      isSetByManager(deployment({ managedFields: [{ manager: 'argocd-controller' }] }), () => true, ['spec']),
    ).toBe(undefined);
  });
});

describe('what becomes of a change', () => {
  const argo: ToolOwner = { tool: 'argocd', name: 'shop', namespace: '' };
  const object = deployment({
    managedFields: [{ manager: 'argocd-controller', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }],
  });
  const source = (spec: object): KubeObject => ({ apiVersion: 'x/v1', kind: 'X', metadata: { name: 'x' }, spec });
  const REPLICAS = [['spec', 'replicas']];
  const when = (owner: ToolOwner, spec: object | undefined, fields = REPLICAS, of = object) =>
    reversalBy(owner, spec === undefined ? undefined : source(spec), { object: of, fields }).when;

  it('depends on self-heal, automated sync and ignored differences of Argo CD', () => {
    expect(when(argo, undefined)).toBe('later');
    expect(when(argo, { syncPolicy: { automated: { selfHeal: true } } })).toBe('soon');
    expect(when(argo, { syncPolicy: { automated: { selfHeal: true, enabled: false } } })).toBe('later');
    expect(when(argo, {})).toBe('later');
    const ignored = (rule: object) => ({ syncPolicy: { automated: { selfHeal: true } }, ignoreDifferences: [rule] });
    expect(when(argo, ignored({ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }))).toBe('stays');
    expect(when(argo, ignored({ group: 'apps', kind: 'StatefulSet', jsonPointers: ['/spec/replicas'] }))).toBe('soon');
  });

  it('stays where the tool does not set the field', () => {
    expect(when(argo, { syncPolicy: { automated: { selfHeal: true } } }, [['spec', 'paused']])).toBe('stays');
  });

  it('depends on suspension, drift detection and the annotations of Flux', () => {
    const plain = deployment({});
    const kustomization: ToolOwner = { tool: 'flux-kustomization', name: 'apps', namespace: 'flux' };
    const release: ToolOwner = { tool: 'flux-helm', name: 'web', namespace: 'flux' };
    expect(reversalBy(kustomization, source({ interval: '10m' }), { object: plain, fields: REPLICAS })).toEqual({
      when: 'soon',
      text: 'Flux (Kustomization flux/apps) manages this object. It reverts the change within 10m.',
    });
    expect(when(kustomization, { suspend: true }, REPLICAS, plain)).toBe('later');
    const disabled = deployment({ annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' } });
    expect(when(kustomization, {}, REPLICAS, disabled)).toBe('stays');
    expect(when(release, { driftDetection: { mode: 'enabled' } }, REPLICAS, plain)).toBe('soon');
    expect(when(release, { driftDetection: { mode: 'warn' } }, REPLICAS, plain)).toBe('later');
    expect(when({ ...release, tool: 'helm' }, undefined, REPLICAS, plain)).toBe('later');
  });

  it('depends on the controller of the object, and on an autoscaler', () => {
    expect(reversalByController(deployment({ ownerReferences: [CONTROLLER] }))?.when).toBe('soon');
    expect(reversalByController(deployment({}))).toBe(undefined);
    const scaler: KubeObject = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', namespace: 'prod' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 9,
      },
    };
    expect(reversalByAutoscaler(deployment({}), [scaler], 5)?.text).toContain('between 2 and 9');
    expect(reversalByAutoscaler(deployment({}), [scaler], 0)?.when).toBe('stays');
    expect(reversalByAutoscaler(deployment({ name: 'api' }), [scaler], 5)).toBe(undefined);
  });

  it('names fields as Kubernetes does', () => {
    expect(formatFieldPath(['spec', 'containers', 0, 'image'])).toBe('spec.containers[0].image');
    expect(formatFieldPath(['metadata', 'annotations', 'a.b/c'])).toBe('metadata.annotations["a.b/c"]');
  });
});
