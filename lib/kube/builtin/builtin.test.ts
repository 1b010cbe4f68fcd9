import { describe, expect, it } from 'vitest';
import { builtinResources, builtinSchema, builtinSchemaName, componentSchema, objectMetaSchema } from './builtin';

const pod = { group: '', version: 'v1', kind: 'Pod' };

describe('builtin', () => {
  it('lists the resources of Kubernetes with their subresources', () => {
    const deployments = builtinResources.find((type) => type.group === 'apps' && type.resource === 'deployments');
    expect(deployments).toMatchObject({
      kind: 'Deployment',
      namespaced: true,
      shortNames: ['deploy'],
      subresources: ['scale', 'status'],
    });
    expect(deployments?.subresourceTypes[0]).toMatchObject({ kind: 'Scale', group: 'autoscaling', version: 'v1' });
  });

  it('has a schema for every kind that can be read', () => {
    const without = builtinResources
      .filter((type) => type.verbs.includes('get') && builtinSchema(type) === undefined)
      .map((type) => type.kind);
    expect(without).toEqual([]);
  });

  it('resolves references together with what stands beside them', () => {
    const spec = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' })?.properties?.spec;
    expect(spec?.component).toBe('io.k8s.api.apps.v1.DeploymentSpec');
    expect(spec?.properties?.strategy?.['x-kubernetes-patch-strategy']).toBe('retainKeys');
    expect(spec?.properties?.strategy?.properties?.type?.type).toBe('string');
    expect(spec?.properties?.template?.properties?.spec?.properties?.containers?.items?.properties?.env?.type).toBe(
      'array',
    );
  });

  it('gives the same object for the same schema, also where schemas refer to themselves', () => {
    expect(builtinSchema(pod)).toBe(builtinSchema(pod));
    const schemaProps = componentSchema('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
    expect(schemaProps?.properties?.not?.properties?.not?.properties?.title?.type).toBe('string');
  });

  it('knows nothing of kinds that Kubernetes does not have', () => {
    expect(builtinSchema({ group: 'kudo.dev', version: 'v1beta1', kind: 'Instance' })).toBeUndefined();
    expect(builtinSchemaName(pod)).toBe('io.k8s.api.core.v1.Pod');
    expect(objectMetaSchema().properties?.finalizers?.['x-kubernetes-patch-strategy']).toBe('merge');
  });
});
