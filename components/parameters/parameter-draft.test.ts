import { describe, expect, it } from 'vitest';
import type { FormField, FormGroup } from '@/lib/kudo/view/form-model';
import {
  draftChanges,
  draftedValues,
  draftProblems,
  fieldProblem,
  filterFields,
  fixText,
  shownProblem,
} from './parameter-draft';

const field = (name: string, parts: Partial<FormField> = {}): FormField => ({
  name,
  label: name,
  type: 'string',
  value: '',
  isSet: false,
  isRequired: false,
  isImmutable: false,
  isSecret: false,
  isAdvanced: false,
  ...parts,
});

const size = field('SIZE', { type: 'integer', value: '3', isSet: true, default: '1' });
const level = field('LEVEL', { value: 'info', default: 'info', enum: ['info', 'debug'] });
const password = field('PASSWORD', { isSecret: true, isSet: true });
const host = field('HOST', { isRequired: true });
const groups: FormGroup[] = [{ name: 'main', label: 'Main', fields: [size, level, password, host] }];

describe('draftChanges', () => {
  it('leaves out fields that did not change', () => {
    expect(draftChanges(groups, { SIZE: '3', LEVEL: 'info' })).toEqual([]);
  });

  it('has old and new text, in the order of the form', () => {
    const changes = draftChanges(groups, { LEVEL: 'debug', SIZE: '5' });
    expect(changes.map(({ field: { name }, from, to }) => [name, from, to])).toEqual([
      ['SIZE', '3', '5'],
      ['LEVEL', 'info', 'debug'],
    ]);
  });

  it('removes an own value for null, and only where one is set', () => {
    expect(draftChanges(groups, { SIZE: null, LEVEL: null }).map(({ field: { name }, to }) => [name, to])).toEqual([
      ['SIZE', undefined],
    ]);
  });

  it('counts any new secret as a change, because the stored one is unknown', () => {
    expect(draftChanges(groups, { PASSWORD: 'new' })).toHaveLength(1);
    expect(draftChanges(groups, { PASSWORD: '' })).toHaveLength(0);
  });
});

describe('draftedValues', () => {
  it('applies the changes to the own values of the Instance', () => {
    const changes = draftChanges(groups, { SIZE: null, LEVEL: 'debug' });
    expect(draftedValues({ SIZE: '3', OTHER: 'x' }, changes)).toEqual({ LEVEL: 'debug', OTHER: 'x' });
  });
});

describe('fieldProblem', () => {
  it('names the field and what to write instead', () => {
    expect(fieldProblem(size, 'ten')).toBe('SIZE must be a whole number, for example 3.');
    expect(fieldProblem(level, 'loud')).toBe('LEVEL must be one of: info, debug.');
    expect(fieldProblem(field('L', { type: 'array' }), 'a: b')).toContain('L must be a list');
  });

  it('accepts what the server accepts', () => {
    expect(fieldProblem(size, '-7')).toBeUndefined();
    expect(fieldProblem(level, 'debug')).toBeUndefined();
    expect(fieldProblem(size, '')).toBeUndefined();
  });
});

describe('draftProblems', () => {
  it('asks for required values that are not set', () => {
    expect([...draftProblems(groups, {})]).toEqual([['HOST', 'Required.']]);
    expect(draftProblems(groups, { HOST: 'a' }).size).toBe(0);
  });

  it('has no problem for fields that were not edited', () => {
    const odd = [{ name: 'g', label: 'G', fields: [field('N', { type: 'integer', value: 'odd', isSet: true })] }];
    expect(draftProblems(odd, {}).size).toBe(0);
    expect(draftProblems(odd, { N: 'odder' }).size).toBe(1);
  });
});

describe('shownProblem', () => {
  const problemOf = (draft: { [name: string]: string }) => shownProblem(host, draft, draftProblems(groups, draft));

  it('is nothing for a required field before somebody typed into it', () => {
    expect(problemOf({})).toBeUndefined();
    expect(problemOf({ HOST: '' })).toBe('Required.');
  });

  it('shows the error of the server for a field that the user has not edited too', () => {
    expect(shownProblem(host, {}, new Map([['HOST', 'HOST is not reachable.']]))).toBe('HOST is not reachable.');
  });
});

describe('fixText', () => {
  it('names the first field to fix, and counts the others', () => {
    const fields = [size, level, host];
    expect(fixText(new Map([['SIZE', 'x']]), fields)).toBe('Fix SIZE to continue.');
    expect(
      fixText(
        new Map([
          ['LEVEL', 'x'],
          ['HOST', 'x'],
        ]),
        fields,
      ),
    ).toBe('Fix LEVEL and 1 more field to continue.');
    expect(
      fixText(
        new Map([
          ['A', 'x'],
          ['B', 'x'],
          ['C', 'x'],
        ]),
        fields,
      ),
    ).toBe('Fix A and 2 more fields to continue.');
    expect(fixText(new Map(), fields)).toBeUndefined();
  });

  it('asks for a value where one is missing', () => {
    expect(fixText(new Map([['HOST', 'Required.']]), [host])).toBe('Enter a value for HOST to continue.');
  });
});

describe('filterFields', () => {
  const names = (draft: { [name: string]: string }, only: 'all' | 'changed' | 'required', query = '') =>
    filterFields(groups, draft, { query, only }).flatMap((group) => group.fields.map(({ name }) => name));

  it('finds by name, label and description', () => {
    expect(names({}, 'all', 'pass')).toEqual(['PASSWORD']);
  });

  it('shows what is set or changed, or what is required', () => {
    expect(names({ LEVEL: 'debug' }, 'changed')).toEqual(['SIZE', 'LEVEL', 'PASSWORD']);
    expect(names({}, 'required')).toEqual(['HOST']);
  });

  it('leaves out groups without any field', () => {
    expect(filterFields(groups, {}, { query: 'nothing', only: 'all' })).toEqual([]);
  });
});
