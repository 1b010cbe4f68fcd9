import { describe, expect, it } from 'vitest';
import { shortFormSchema } from './short-form';
import { resourceSpecPatch, specForm } from './spec-form';

const { schema } = shortFormSchema({
  size: 'integer | default=3 enum="1,3,5" description="How many."',
  version: 'string',
  zone: 'string | required immutable',
  pod: {
    labels: 'map[string]string',
    antiAffinity: 'boolean',
    affinity: 'object',
    deep: { more: 'integer', cpu: 'map[string]intOrString' },
  },
  tags: '[]string',
});

describe('the form of a spec', () => {
  const { groups, others } = specForm(schema, { size: 5, zone: 'a', pod: { labels: { a: 'b' } } });
  const fields = groups.flatMap((group) => group.fields);

  it('has a field for each scalar, list and map of scalars, grouped by object; the rest is YAML', () => {
    expect(groups.map(({ label, fields: own }) => [label, own.map(({ name }) => name)])).toEqual([
      ['Spec', ['size', 'version', 'zone', 'tags']],
      ['pod', ['pod.labels', 'pod.antiAffinity', 'pod.deep.more', 'pod.deep.cpu']],
    ]);
    expect(others).toEqual(['pod.affinity']);
  });

  it('shows values, defaults, choices, and what cannot be changed', () => {
    expect(fields.find(({ name }) => name === 'size')).toMatchObject({
      value: '5',
      isSet: true,
      default: '3',
      enum: ['1', '3', '5'],
      description: 'How many.',
    });
    expect(fields.find(({ name }) => name === 'zone')).toMatchObject({
      isImmutable: true,
      lockedBecause: 'Its value cannot be changed.',
    });
    // A boolean that is not set is a choice: a switch would show one of its values.
    expect(fields.find(({ name }) => name === 'pod.antiAffinity')).toMatchObject({
      value: '',
      enum: ['true', 'false'],
    });
    expect(fields.find(({ name }) => name === 'pod.labels')).toMatchObject({ value: 'a: b\n', type: 'map' });
  });

  it('edits become a merge patch with values of the types', () => {
    const edits = new Map([
      ['size', '3'],
      ['version', undefined],
      ['pod.antiAffinity', 'true'],
      ['tags', '- x\n- z\n'],
    ]);
    expect(resourceSpecPatch(fields, edits)).toEqual({
      size: 3,
      version: null,
      pod: { antiAffinity: true },
      tags: ['x', 'z'],
    });
  });
});
