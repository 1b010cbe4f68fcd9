import { describe, expect, it } from 'vitest';
import { VirtualClock } from '@/lib/clock/virtual-clock';
import { seededRandom } from '@/lib/random/random';
import { namespaceObject } from './namespace-manifest';
import type { PreparedInstall } from './prepare-install';

const environment = { clock: new VirtualClock(), random: seededRandom('seed') };

function prepared(manifest: string | undefined, parameters: { [name: string]: string } = {}): PreparedInstall {
  const operatorVersion = {
    apiVersion: 'kudo.dev/v1beta1' as const,
    kind: 'OperatorVersion' as const,
    metadata: { name: 'pond-3.1-0.1.0', namespace: 'lab' },
    spec: {
      operator: { name: 'pond' },
      version: '0.1.0',
      appVersion: '3.1',
      templates: manifest === undefined ? {} : { 'ns.yaml': manifest },
      parameters: [{ name: 'team', default: 'blue' }],
    },
  };
  const spec = manifest === undefined ? {} : { namespaceManifest: 'ns.yaml' };
  return {
    operator: { apiVersion: 'kudo.dev/v1beta1', kind: 'Operator', metadata: { name: 'pond' }, spec },
    operatorVersion,
    instance: {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'one', namespace: 'lab' },
      spec: { operatorVersion: { name: 'pond-3.1-0.1.0' }, parameters },
    },
    dependencies: [],
    crds: [],
    missing: [],
    decision: { outcome: 'accepted' } as unknown as PreparedInstall['decision'],
  };
}

describe('the namespace of an install', () => {
  it('PKG-153 is rendered with names, versions and parameters', () => {
    const manifest =
      'kind: Anything\nmetadata:\n  name: other\n  labels: {i: "{{ .Name }}", v: "{{ .AppVersion }}", t: "{{ .Params.team }}"}\n  annotations: {a: b}\n';
    expect(namespaceObject(prepared(manifest, { team: 'red' }), environment)).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: 'lab',
        labels: { i: 'one', v: '3.1', t: 'red' },
        annotations: { a: 'b', 'created-by': 'kudo-cli' },
      },
    });
  });

  it('PKG-154 (differs) is rendered with defaults of parameters, which KUDO left out', () => {
    const manifest = 'metadata:\n  labels: {t: "{{ .Params.team }}"}\n';
    expect(namespaceObject(prepared(manifest), environment).metadata.labels).toEqual({ t: 'blue' });
  });

  it('PKG-155 has only a name without a manifest; a manifest that is not an object is an error with its file name', () => {
    expect(namespaceObject(prepared(undefined), environment)).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'lab', annotations: { 'created-by': 'kudo-cli' } },
    });
    expect(() => namespaceObject(prepared('just text'), environment)).toThrow(
      'unmarshalling namespace manifest file: ns.yaml: it is not an object',
    );
    expect(() => namespaceObject(prepared('{{ .Params.none }}'), environment)).toThrow(
      'failed to render namespace manifest "ns.yaml"',
    );
  });
});
