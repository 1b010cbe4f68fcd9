import { describe, expect, it } from 'vitest';
import { formatQuestion } from '@/lib/kube/access';
import type { FormGroup } from '@/lib/kudo/view/form-model';
import {
  fieldsToFix,
  freeInstanceName,
  installValues,
  isNewNamespace,
  placeProblems,
  rightsToInstall,
} from './install-draft';

const taken = { namespaces: new Set(['demo']), instances: new Set(['demo/etcd', 'demo/etcd-2']) };
const groups: FormGroup[] = [
  {
    name: '',
    label: 'Other',
    fields: [
      field('SIZE', { type: 'integer', default: '3', value: '3' }),
      field('NAME', { isRequired: true }),
      field('TOKEN', { isSecret: true }),
    ],
  },
];

function field(name: string, extra: object): FormGroup['fields'][number] {
  const base = { type: 'string', value: '', isSet: false, isRequired: false, isImmutable: false } as const;
  return { name, label: name.toLowerCase(), isSecret: false, isAdvanced: false, ...base, ...extra };
}

describe('freeInstanceName', () => {
  it("counts on from the operator's own name", () => {
    expect(freeInstanceName('etcd', 'demo', taken)).toBe('etcd-3');
    expect(freeInstanceName('etcd', 'other', taken)).toBe('etcd');
  });
});

describe('isNewNamespace', () => {
  it('is true for a namespace that does not exist, and never where namespaces cannot be listed', () => {
    expect(isNewNamespace('demo', taken)).toBe(false);
    expect(isNewNamespace('other', taken)).toBe(true);
    expect(isNewNamespace('other', { ...taken, namespaces: undefined })).toBe(false);
  });
});

describe('rightsToInstall', () => {
  const everything = { namespace: 'exists', operator: 'exists', operatorVersion: 'exists' } as const;
  const questions = (needs: Partial<Parameters<typeof rightsToInstall>[1]>) =>
    rightsToInstall('demo', { ...everything, ...needs }).map(formatQuestion);

  it('asks for each object that will be created', () => {
    expect(questions({})).toEqual(['create:kudo.dev/instances@demo']);
    expect(questions({ namespace: 'missing', operator: 'missing', operatorVersion: 'missing' })).toEqual([
      'create:core/namespaces',
      'create:kudo.dev/operators@demo',
      'create:kudo.dev/operatorversions@demo',
      'create:kudo.dev/instances@demo',
    ]);
  });

  it('asks for the right to look up what the person may not list', () => {
    expect(questions({ operator: 'unknown', operatorVersion: 'unknown' })).toEqual([
      'get:kudo.dev/operators@demo',
      'get:kudo.dev/operatorversions@demo',
      'create:kudo.dev/instances@demo',
    ]);
  });
});

describe('placeProblems', () => {
  it.each([
    ['demo', 'web', []],
    ['new-place', 'etcd', []],
    ['demo', 'etcd', ['instance']],
    ['Demo', 'web', ['namespace']],
    ['', '', ['namespace', 'instance']],
    ['demo', `a${'b'.repeat(63)}`, ['instance']],
    ['demo', '-web', ['instance']],
    ['demo', 'we.b', ['instance']],
  ])('%s/%s has wrong values in %j', (namespace, instance, fields) => {
    expect(Object.keys(placeProblems({ namespace, instance, parameters: {} }, taken))).toEqual(fields);
  });
});

describe('fieldsToFix', () => {
  it('names every field that needs a value, required parameters included', () => {
    expect(fieldsToFix(groups, { namespace: 'demo', instance: 'etcd', parameters: { SIZE: 'ten' } }, taken)).toEqual([
      'Instance name',
      'size',
      'name',
    ]);
  });
});

describe('installValues', () => {
  it('holds only what differs from the defaults', () => {
    expect(installValues(groups, { SIZE: '3', NAME: 'x', TOKEN: '' })).toEqual({ NAME: 'x' });
    expect(installValues(groups, { SIZE: '5', TOKEN: 't' })).toEqual({ SIZE: '5', TOKEN: 't' });
  });
});
