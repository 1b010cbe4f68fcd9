import { describe, expect, it } from 'vitest';
import { PARAMETER_SCHEMA_ANNOTATION } from '@/lib/kudo/names';
import type { OperatorVersion } from '@/lib/kudo/types';
import { operatorForm } from './operator-form';
import { shortFormSchema } from './short-form';
import { newSpec, problemsAtFields, schemaCauses } from './spec-problems';
import type { OwnKind } from './types';

const { schema } = shortFormSchema({
  size: 'integer | default=3 minimum=1 maximum=7',
  version: 'string',
  colour: 'string | description="Of the fish."',
  owner: 'string',
  pump: { power: 'integer', mode: 'string | enum="slow,fast"' },
});
const kind: OwnKind = {
  group: 'ponds.example.com',
  kind: 'Pond',
  plural: 'ponds',
  singular: 'pond',
  versions: [],
  instance: {
    parameters: {
      SIZE: '{{ .Spec.size }}',
      VERSION: '${has(self.spec.version) ? self.spec.version.replace("v", "") : null}',
      COLOUR: '${has(self.spec.colour) ? self.spec.colour : null}',
      POWER: '${self.spec.?pump.?power}',
      OWNER: '${self.spec.owner + self.spec.colour}',
    },
  },
};
const traits = {
  groups: [{ name: 'fish', displayName: 'The fish', priority: 1 }],
  parameters: {
    SIZE: { group: 'fish', displayName: 'How many' },
    VERSION: { group: 'fish', hint: 'Such as 1.2.' },
    POWER: { group: 'pump', advanced: true },
  },
};
const operatorVersion: OperatorVersion = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'pond-1', annotations: { [PARAMETER_SCHEMA_ANNOTATION]: JSON.stringify(traits) } },
  spec: {
    parameters: [
      { name: 'SIZE', default: '1' },
      { name: 'VERSION', default: '1.1', description: 'The version.' },
      { name: 'COLOUR', required: true },
      { name: 'POWER', default: '5' },
      { name: 'OWNER', required: true },
    ],
  },
};

describe('the form of an operator for a resource of its kind', () => {
  const { groups } = operatorForm(schema, {}, { kind, operatorVersion });
  const fields = groups.flatMap((group) => group.fields);
  const field = (name: string) => fields.find((each) => each.name === name);

  it('has the groups of the parameters first, and then what sets none', () => {
    expect(groups.map(({ label, fields: own }) => [label, own.map(({ name }) => name)])).toEqual([
      ['The fish', ['size', 'version']],
      ['pump', ['pump.power']],
      ['Spec', ['colour', 'owner']],
      ['pump', ['pump.mode']],
    ]);
  });

  it('shows names, hints and defaults of parameters; the default of the schema comes first', () => {
    expect(field('size')).toMatchObject({ label: 'How many', default: '3', value: '3' });
    expect(field('version')).toMatchObject({ label: 'version', description: 'The version.', hint: 'Such as 1.2.' });
    expect(field('pump.power')).toMatchObject({ default: '5', value: '5', isAdvanced: true });
  });

  it('has no default of a parameter that is made of the field, and requires what the parameter requires', () => {
    expect(field('version')).not.toHaveProperty('default');
    expect(field('colour')).toMatchObject({ isRequired: true, description: 'Of the fish.' });
    expect(field('owner')).toMatchObject({ isRequired: false });
  });

  it('is the form of the schema without an operator', () => {
    expect(operatorForm(schema, {}, undefined).groups.map(({ label }) => label)).toEqual(['Spec', 'pump']);
  });

  it('puts what the schema and the API server say to the fields', () => {
    const spec = newSpec(
      fields,
      new Map([
        ['size', '9'],
        ['pump.mode', 'wild'],
        ['pump.power', ''],
      ]),
    );
    expect(spec).toEqual({ size: 9, pump: { mode: 'wild' } });
    const causes = [
      ...schemaCauses(spec, schema),
      { field: 'spec.size', message: 'second' },
      { field: 'spec', message: 'Invalid value: no fish without a pump' },
      { field: 'metadata.name', message: 'is taken' },
    ];
    const { byField, others } = problemsAtFields(causes, fields);
    expect([...byField.keys()].sort()).toEqual(['pump.mode', 'size']);
    expect(byField.get('size')).toContain('should be less than or equal to 7');
    expect(others.map((cause) => cause.field)).toEqual(['spec', 'metadata.name']);
  });
});
