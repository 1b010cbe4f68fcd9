import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { DEPENDENCIES_HASH_ANNOTATION } from '@/lib/kudo/names';
import { markPodTemplate } from '@/lib/kudo/rendering/enhance';
import { renderText } from '@/lib/kudo/rendering/render';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import { seededRandom } from '@/lib/random/random';

const render = (text: string, parameters: { [name: string]: JsonValue } = {}) => {
  const version = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: 'op-1' },
    spec: { templates: { 't.yaml': text } },
  };
  const variables = {
    Name: 'i',
    Namespace: 'n',
    OperatorName: 'op',
    OperatorVersion: '1',
    AppVersion: '',
    Params: parameters,
  };
  return renderText(version, 't.yaml', variables, { clock: { now: () => 0 }, random: seededRandom('t') });
};

describe('a template', () => {
  it.each<[string, string, { [name: string]: JsonValue }, string]>([
    ['RND-01 empty', '', {}, ''],
    ['RND-02 a function', '{{ .Params.Name | upper }}', { Name: 'hello' }, 'HELLO'],
    ['RND-03 a member of a map', '{{ .Params.User.Name }}', { User: { Name: 'ann' } }, 'ann'],
    [
      'RND-04 YAML',
      '{{ toYaml .Params.Dict | trim | indent 2 }}',
      { Dict: { b: 1, a: { c: 'd' } } },
      '  a:\n    c: d\n  b: 1',
    ],
  ])('%s gives what Go gives', (_what, text, parameters, expected) => {
    expect(render(text, parameters)).toBe(expected);
  });

  it.each(['env', 'expandenv', 'base', 'dir', 'clean', 'ext', 'isAbs'])('RND-05 has no function %s', (name) => {
    expect(() => render(`{{ ${name} "x" }}`)).toThrow(RenderError);
  });
});

describe('the hash of dependencies', () => {
  const pods = { template: { metadata: {}, spec: {} } };
  const marked = (kind: string, apiVersion: string, spec: { [key: string]: JsonValue }) => {
    const object: KubeObject = { apiVersion, kind, metadata: { name: 'x' }, spec };
    markPodTemplate(object, { [DEPENDENCIES_HASH_ANNOTATION]: 'h' });
    return object.spec;
  };
  const annotations = { annotations: { 'kudo.dev/dependencies-hash': 'h' } };

  it('HSH-11 is in the pod template of kinds that have one, and nowhere else', () => {
    expect(marked('StatefulSet', 'apps/v1', structuredClone(pods))).toMatchObject({
      template: { metadata: annotations },
    });
    expect(marked('CronJob', 'batch/v1', { jobTemplate: { spec: structuredClone(pods) } })).toMatchObject({
      jobTemplate: { spec: { template: { metadata: annotations } } },
    });
    expect(marked('Pod', 'v1', {})).toEqual({});
    expect(marked('Pond', 'lab.example.org/v1', structuredClone(pods))).toEqual(pods);
  });
});
