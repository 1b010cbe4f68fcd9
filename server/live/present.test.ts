import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { parseParameterSchema } from '@/lib/kudo/parameters/parameter-schema';
import { hasAcceptedEdit } from '@/lib/live/unseen-mark';
import { presentObject, SECRET_MARK } from './present';

const CANARY = 'canary-7f3a';
const unknown = () => undefined;

describe('presentObject', () => {
  it('masks the data of a Secret and every copy of it', () => {
    const secret: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', annotations: { 'kudo.dev/last-applied-configuration': CANARY, note: 'kept' } },
      data: { password: CANARY },
      stringData: { token: CANARY },
    };
    const shown = presentObject(secret, unknown);
    expect(JSON.stringify(shown)).not.toContain(CANARY);
    expect(shown.data).toEqual({ password: SECRET_MARK });
    expect(shown.metadata.annotations?.note).toBe('kept');
  });

  it('masks parameters that are secret by name or by the schema', () => {
    const instance: KubeObject = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'i', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': CANARY } },
      spec: { parameters: { ADMIN_PASSWORD: CANARY, DSN: CANARY, SIZE: '3' } },
    };
    const schema = parseParameterSchema('{"parameters":{"DSN":{"secret":true}}}');
    const shown = presentObject(instance, () => schema);
    expect(JSON.stringify(shown)).not.toContain(CANARY);
    expect(shown.spec).toEqual({ parameters: { ADMIN_PASSWORD: SECRET_MARK, DSN: SECRET_MARK, SIZE: '3' } });
  });

  it('marks an Instance that was edited since the controller acted upon it, and shows no value of the note', () => {
    const instance = (acted: string): KubeObject => ({
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: {
        name: 'i',
        namespace: 'demo',
        annotations: {
          'bravo.kudo.dev/acted-upon': JSON.stringify({
            operatorVersion: { name: 'v' },
            parameters: { NOTE: acted, ADMIN_PASSWORD: CANARY },
          }),
        },
      },
      spec: { operatorVersion: { name: 'v' }, parameters: { NOTE: 'now', ADMIN_PASSWORD: CANARY } },
    });
    const edited = presentObject(instance('before'), unknown);
    expect(hasAcceptedEdit(edited)).toBe(true);
    expect(hasAcceptedEdit(presentObject(instance('now'), unknown))).toBe(false);
    expect(JSON.stringify(edited)).not.toContain(CANARY);
  });

  it('masks secret defaults of an OperatorVersion and leaves its templates out', () => {
    const version: KubeObject = {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'OperatorVersion',
      metadata: { name: 'v' },
      spec: {
        templates: { 'a.yaml': CANARY },
        parameters: [
          { name: 'API_TOKEN', default: CANARY },
          { name: 'SIZE', default: '3' },
        ],
      },
    };
    const shown = presentObject(version, unknown);
    expect(JSON.stringify(shown)).not.toContain(CANARY);
    expect(shown.spec).toMatchObject({
      templates: { 'a.yaml': '' },
      parameters: [{ default: SECRET_MARK }, { default: '3' }],
    });
  });

  it('leaves the schemas of a definition out and keeps its versions', () => {
    const versions = [{ name: 'v1', served: true, schema: { openAPIV3Schema: { description: CANARY } } }];
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {},
      spec: { versions },
    };
    const shown = presentObject(definition, unknown);
    expect(shown.spec).toEqual({ versions: [{ name: 'v1', served: true }] });
    expect(definition.spec.versions).toBe(versions);
  });

  it('leaves the given object as it is and drops managedFields', () => {
    const object: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', managedFields: [{}] } };
    expect(presentObject(object, unknown).metadata).toEqual({ name: 'p' });
    expect(object.metadata.managedFields).toHaveLength(1);
  });
});
