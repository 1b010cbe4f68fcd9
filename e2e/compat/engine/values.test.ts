import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrayAt, type JsonValue, stringAt } from '@/lib/json/json';
import { unwrapParameter } from '@/lib/kudo/rendering/unwrap';
import type { OperatorVersionSpec, Parameter } from '@/lib/kudo/types';
import { Lab } from '@/test/engine/lab';
import { startVirtualEngine, type VirtualEngine } from '@/test/engine/virtual-engine';
import { apply, configMap, deployment, oneStep, plan, remove, task } from '@/test/operators/templates';

let engine: VirtualEngine;
let lab: Lab;

beforeAll(async () => {
  engine = await startVirtualEngine();
  await engine.startController();
  lab = await Lab.open(engine, 'values');
});
afterAll(() => engine?.stop());

describe('resources', () => {
  it('CRD-03 a changed status in a PUT of the object itself changes no status', async () => {
    await lab.deploy('crd03', oneStep([task('d', 'Dummy', { done: true })]));
    const before = lab.instance('crd03');
    const target = { group: 'kudo.dev', version: 'v1beta1', resource: 'instances', namespace: 'values', name: 'crd03' };
    await engine.run(engine.people.update(target, { ...before, status: { planStatus: {} } }));
    expect(lab.instance('crd03').status).toEqual(before.status);
  });

  it('CRD-04 a plan without strategy and phases completes at once', async () => {
    await lab.deploy('crd04', { plans: { deploy: {} } });
  });

  it('an empty parameter leaves an empty string in a ConfigMap, and does not remove the key', async () => {
    const templates = { 'c.yaml': configMap('blank', '{value: {{ .Params.V }}}') };
    const parameters = [{ name: 'V', default: 'x' }];
    await lab.deploy('blank', oneStep([apply('a', 'c.yaml')], { templates, parameters }));
    await lab.edit('blank', { parameters: { V: '' } }, 'deploy');
    expect(lab.find('configmaps', 'blank')).toMatchObject({ data: { value: '' } });
  });

  it('ADM-07 the version is read from the namespace that the reference names', async () => {
    const other = await Lab.open(engine, 'values-versions');
    const spec = oneStep([apply('a', 'c.yaml')], { templates: { 'c.yaml': configMap('adm07') } });
    const name = await other.operator('adm07', spec);
    await lab.put('instances', {
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      metadata: { name: 'adm07', namespace: 'values' },
      spec: { operatorVersion: { name, namespace: 'values-versions' } },
    });
    await lab.ends('adm07', 'deploy');
    expect(lab.find('configmaps', 'adm07')).toBeDefined();
  });

  it('ENG-24 (differs) an edit of the OperatorVersion during a plan takes effect with the next execution', async () => {
    const spec: OperatorVersionSpec = {
      templates: { 'c.yaml': configMap('eng24', '{value: old}'), 'held.yaml': configMap('eng24-held') },
      tasks: [remove('wait', 'held.yaml'), apply('a', 'c.yaml')],
      plans: { deploy: plan(['wait', 'wait'], ['apply', 'a']) },
    };
    const held = { name: 'eng24-held', finalizers: ['example.org/hold'] };
    await lab.put('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: held });
    await lab.create('eng24', await lab.operator('eng24', spec));
    await lab.step('eng24', 'deploy.main.wait', 'IN_PROGRESS');
    await lab.patch('operatorversions', 'eng24-1', {
      spec: { templates: { 'c.yaml': configMap('eng24', '{value: new}') } },
    });
    await engine.pass(5_000);
    const { uid } = lab.instance('eng24').status?.planStatus?.deploy ?? {};
    await lab.patch('configmaps', 'eng24-held', { metadata: { finalizers: null } });
    const after = await lab.ends('eng24', 'deploy');
    expect(after.status?.planStatus?.deploy?.uid).toBe(uid);
    expect(lab.find('configmaps', 'eng24')?.data).toEqual({ value: 'old' });
    await lab.edit('eng24', { planExecution: { planName: 'deploy', uid: 'again' } }, 'deploy');
    expect(lab.find('configmaps', 'eng24')?.data).toEqual({ value: 'new' });
  });
});

describe('parameters', () => {
  const unwrap = (type: string, text: string) => unwrapParameter({ name: 'P', 'value-type': type }, text);
  /** What a ConfigMap of one key with that template holds after a deploy with these parameters. */
  const seen = async (name: string, template: string, parameters: Parameter[], values = {}) => {
    const templates = { 'c.yaml': configMap(name, `\n  seen: |\n    ${template}`) };
    await lab.deploy(name, oneStep([apply('a', 'c.yaml')], { templates, parameters }), values);
    return stringAt(lab.find('configmaps', name), 'data', 'seen')?.trimEnd();
  };

  it('PRM-11 a parameter without value and default is an empty string, an empty list or nil', async () => {
    const parameters = [{ name: 'S' }, { name: 'A', 'value-type': 'array' }, { name: 'M', 'value-type': 'map' }];
    expect(await seen('prm11', 's{{ .Params.S }} {{ .Params.A }} {{ .Params.M }}', parameters)).toBe('s [] <no value>');
  });

  it.each<[string, string, string, JsonValue]>([
    ['PRM-12 nested', 'map', 'a: b\nc: [a, {b: c}]', { a: 'b', c: ['a', { b: 'c' }] }],
    ['PRM-14 a text', 'map', 'foo', 'foo'],
    ['PRM-14 a list', 'map', '[a, b]', ['a', 'b']],
    ['PRM-14 empty', 'map', '', null],
  ])('%s as a %s is what its YAML says', (_what, type, text, value) => {
    expect(unwrap(type, text)).toEqual(value);
  });

  it('PRM-15 (differs, T-02) a value that is not a list ends the plan, with an event', async () => {
    const parameters = [{ name: 'A', default: 'foo', 'value-type': 'array' }];
    const spec = oneStep([task('d', 'Dummy', { done: true })], { parameters });
    const after = await lab.deploy('prm15', spec, {}, { status: 'FATAL_ERROR' });
    expect(after.status?.planStatus?.deploy?.message).toContain('parameter "A" cannot be read as array');
    expect(lab.reasons('prm15')).toContain('InvalidParams');
  });

  it('PRM-16 a boolean is a string', async () => {
    const parameters = [{ name: 'P', default: 'true', 'value-type': 'boolean' }];
    expect(await seen('prm16', '{{ if eq .Params.P "true" }}taken{{ end }}', parameters)).toBe('taken');
  });

  it('PRM-17 a list given by the user replaces the default', async () => {
    const ports =
      '{{ range .Params.PORTS }}\n      - {name: main{{ . }}, image: nginx, ports: [{containerPort: {{ . }}}]}{{ end }}\n';
    const templates = { 'd.yaml': deployment('prm17', { podSpec: ports }) };
    const parameters = [{ name: 'PORTS', default: '[ 80 ]', 'value-type': 'array' }];
    await lab.deploy('prm17', oneStep([apply('a', 'd.yaml')], { templates, parameters }), { PORTS: '[ 80, 443 ]' });
    const containers = arrayAt(lab.find('deployments', 'prm17')?.spec, 'template', 'spec', 'containers').slice(1);
    expect(containers.flatMap((one) => arrayAt(one, 'ports'))).toMatchObject([
      { containerPort: 80 },
      { containerPort: 443 },
    ]);
  });

  it('PRM-18 a large number in a map prints as Go prints a float', async () => {
    const parameters = [{ name: 'P', default: '{m: 1000000}', 'value-type': 'map' }];
    expect(await seen('prm18', '{{ .Params.P.m }}', parameters)).toBe('1e+06');
  });
});

describe('templates', () => {
  it.each([
    ['RND-06 .Params.NONE', 'rnd06a', '{{ .Params.NONE }}'],
    ['RND-06 .Nope', 'rnd06b', '{{ .Nope }}'],
    ['RND-06 .StepNumber', 'rnd06c', '{{ .StepNumber }}'],
    ['RND-07 a template of another file', 'rnd07', '{{ template "other.yaml" }}'],
    ['RND-11 a quote alone', 'rnd11a', '"'],
    ['RND-11 no kind', 'rnd11b', 'apiVersion: v1\nmetadata: {name: x}\n'],
  ])('%s ends the plan', async (_what, name, template) => {
    const templates = { 'c.yaml': template, 'other.yaml': configMap('other') };
    await lab.deploy(name, oneStep([apply('a', 'c.yaml')], { templates }), {}, { status: 'FATAL_ERROR' });
    expect(lab.reasons(name)).toContain('TaskRenderingError');
  });

  it('RND-13 (differs, T-16) fields are sent unchanged, also those that KUDO did not know', async () => {
    const templates = { 'd.yaml': deployment('rnd13', { podSpec: '      os: {name: linux}\n      typpo: yes\n' }) };
    await lab.deploy('rnd13', oneStep([apply('a', 'd.yaml')], { templates }));
    const [call] = lab.writes('deployments', 'rnd13', 'POST');
    expect(call?.body).toMatchObject({ spec: { template: { spec: { os: { name: 'linux' }, typpo: true } } } });
    expect(lab.find('deployments', 'rnd13')?.spec).toMatchObject({ template: { spec: { os: { name: 'linux' } } } });
  });

  it('RND-14 a template in a folder has its path as its name', async () => {
    const templates = { 'service/service.yaml': configMap('rnd14') };
    await lab.deploy('rnd14', oneStep([apply('a', 'service/service.yaml')], { templates }));
    expect(lab.find('configmaps', 'rnd14')).toBeDefined();
  });
});
