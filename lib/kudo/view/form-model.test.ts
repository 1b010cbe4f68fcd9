import { describe, expect, it } from 'vitest';
import { planForChange } from '@/lib/kudo/admission/triggers';
import { PARAMETER_SCHEMA_ANNOTATION, PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { Instance, OperatorVersion, Parameter } from '@/lib/kudo/types';
import { formModel, runnablePlans } from './form-model';

function version(parameters: Parameter[], schema?: object): OperatorVersion {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: {
      name: 'v',
      ...(schema ? { annotations: { [PARAMETER_SCHEMA_ANNOTATION]: JSON.stringify(schema) } } : {}),
    },
    spec: { parameters, plans: { deploy: {}, update: {}, backup: {}, cleanup: {}, 'a-check': {} } },
  };
}

const instance = (parameters: { [name: string]: string }): Instance => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'i', namespace: 'ns' },
  spec: { operatorVersion: { name: 'v' }, parameters },
});

describe('the form of parameters', () => {
  const parameters: Parameter[] = [
    { name: 'SIZE', 'value-type': 'integer', default: '3', required: true, displayName: 'Size' },
    { name: 'PASSWORD', default: 'top', required: true },
    { name: 'CLASS', immutable: true, required: false, enum: ['a', 'b'] },
    { name: 'KEEP', trigger: 'backup', required: true },
  ];

  it('has a picker where the package says so, and for an Instance alone', () => {
    const schema = { parameters: { KEEP: { picker: 'backup' }, SIZE: { picker: 'colour' } } };
    const pickers = (of?: Instance) =>
      formModel(version(parameters, schema), of)
        .flatMap(({ fields }) => fields)
        .filter(({ picker }) => picker !== undefined)
        .map(({ name, picker }) => [name, picker]);
    expect(pickers(instance({}))).toEqual([['KEEP', 'backup']]);
    expect(pickers()).toEqual([]);
  });

  it('has a picker for the parameter by which the plan that restores names a backup', () => {
    const metadata = { restore: { parameters: ['RESTORE_FROM'] } };
    const restoring = version([{ name: 'RESTORE_FROM', default: 'latest' }, ...parameters]);
    restoring.metadata.annotations = { [PLAN_METADATA_ANNOTATION]: JSON.stringify(metadata) };
    restoring.spec = { ...restoring.spec, plans: { ...restoring.spec?.plans, restore: {} } };
    const fields = formModel(restoring, instance({})).flatMap((group) => group.fields);
    expect(fields.filter(({ picker }) => picker === 'backup').map(({ name }) => name)).toEqual(['RESTORE_FROM']);
  });

  it('shows groups in the order of their priority, undeclared ones last', () => {
    const schema = {
      groups: [
        { name: 'z', priority: 1, displayName: 'First' },
        { name: 'a', priority: 2 },
      ],
      parameters: {
        SIZE: { group: 'a', hint: 'Odd.' },
        PASSWORD: { group: 'z' },
        CLASS: { group: 'x', advanced: true },
      },
    };
    const groups = formModel(version(parameters, schema));
    expect(groups.map(({ label }) => label)).toEqual(['First', 'a', 'x', 'Other']);
    expect(groups[1]?.fields[0]).toMatchObject({
      name: 'SIZE',
      label: 'Size',
      hint: 'Odd.',
      value: '3',
      type: 'integer',
    });
    expect(groups[2]?.fields[0]?.isAdvanced).toBe(true);
  });

  it('groups by plan where the package declares no groups', () => {
    expect(formModel(version(parameters)).map(({ name, fields }) => [name, fields.length])).toEqual([
      ['update', 3],
      ['backup', 1],
    ]);
  });

  it('never holds a secret', () => {
    const text = JSON.stringify(formModel(version(parameters), instance({ PASSWORD: 'hidden' })));
    expect(text).not.toContain('hidden');
    expect(text).not.toContain('top');
  });

  it('locks what is immutable once there is an instance', () => {
    const [group] = formModel(version(parameters), instance({}));
    expect(group?.fields.find(({ name }) => name === 'CLASS')?.lockedBecause).toBeDefined();
    expect(
      formModel(version(parameters))[0]?.fields.find(({ name }) => name === 'CLASS')?.lockedBecause,
    ).toBeUndefined();
  });

  it('puts backup first among the plans to run, and leaves cleanup out', () => {
    expect(runnablePlans(version([]))).toEqual(['backup', 'a-check', 'update', 'deploy']);
  });
});

describe('what an edit would do', () => {
  const operatorVersion = version([
    { name: 'a' },
    { name: 'k', trigger: 'backup' },
    { name: 'x', 'value-type': 'integer' },
  ]);

  it('names the plan and the changes', () => {
    const preview = planForChange(instance({ a: '1' }), operatorVersion, { parameters: { a: '2', k: null } });
    expect(preview).toMatchObject({
      outcome: 'runs',
      plan: 'update',
      changes: [{ name: 'a', before: '1', after: '2' }],
    });
  });

  it('a default comes back when the own value is taken away', () => {
    const preview = planForChange(instance({ a: '1' }), operatorVersion, { parameters: { a: null } });
    expect(preview.changes).toEqual([{ name: 'a', before: '1', after: undefined }]);
    expect(preview.plan).toBe('update');
  });

  it('says why it is refused, without repeating the name of the instance', () => {
    const preview = planForChange(instance({}), operatorVersion, { parameters: { x: 'many' } });
    expect(preview.outcome).toBe('refused');
    expect(preview.message).toMatch(/^parameter "x" has an invalid value/);
  });

  it('an empty edit stores nothing and starts nothing; a plan starts by name', () => {
    expect(planForChange(instance({}), operatorVersion, {}).outcome).toBe('stores');
    expect(planForChange(instance({}), operatorVersion, { plan: 'backup' })).toMatchObject({
      outcome: 'runs',
      plan: 'backup',
    });
    expect(planForChange(instance({}), operatorVersion, { plan: 'cleanup' }).outcome).toBe('refused');
  });
});
