import { expect, it } from 'vitest';
import { METER_ANNOTATION, metersOf } from '@/lib/kudo/usage/meter';
import { verifyPackage } from '@/lib/kudo/verify/verify';
import { parsePackage } from './parse-package';
import { packageToObjects } from './to-objects';

const OPERATOR = `apiVersion: kudo.dev/v1beta1
name: pond
operatorVersion: 1.0.0
kubernetesVersion: "1.25"
tasks: [{name: nothing, kind: Dummy, spec: {done: true}}]
plans: {deploy: {strategy: serial, phases: [{name: a, strategy: serial, steps: [{name: a, tasks: [nothing]}]}]}}
meter:
`;
const PARAMS =
  'apiVersion: kudo.dev/v1beta1\nparameters:\n- {name: NODES, default: "1"}\n- {name: PASSWORD, default: ""}\n';

function read(meter: string) {
  return parsePackage(
    new Map([
      ['operator.yaml', OPERATOR + meter],
      ['params.yaml', PARAMS],
    ]),
  );
}

/** `operator.yaml:9: …` of reading, else of verifying. */
function problems(meter: string): string[] {
  const parsed = read(meter);
  const found = parsed.ok ? verifyPackage(parsed.package).errors : parsed.problems;
  return found.map(({ path, message }) => `${path}: ${message}`);
}

it('keeps meters as an annotation of the OperatorVersion', () => {
  const parsed = read(
    '- {name: nodes, unit: node-hours, value: "{{ .Params.NODES }}"}\n- {name: base, unit: x, value: 2}\n',
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { operatorVersion } = packageToObjects(parsed.package, { namespace: 'lab' });
  expect(operatorVersion.metadata.annotations?.[METER_ANNOTATION]).toBe(
    '[{"name":"nodes","unit":"node-hours","value":"{{ .Params.NODES }}"},{"name":"base","unit":"x","value":"2"}]',
  );
  expect(metersOf(operatorVersion)).toHaveLength(2);
  expect(verifyPackage(parsed.package).errors).toEqual([]);
});

it('names what is wrong with a meter at its line', () => {
  expect(
    problems('- {name: Nodes, unit: a b, value: many, size: 1}\n- {name: instances, unit: x, value: 1}\n'),
  ).toEqual([
    'operator.yaml:8: "Nodes" is not a name of a meter: use lower case letters, digits and -',
    'operator.yaml:8: "a b" is not a unit: write a word such as node-hours',
    'operator.yaml:8: "many" is not a number from 0 to 1000000, and no template',
    'operator.yaml:8: "size" is not a field of a meter; fields are name, unit and value',
    'operator.yaml:9: every operator counts "instances"; use another name',
  ]);
});

it('verifies the templates of meters', () => {
  expect(
    problems(
      '- {name: a, unit: x, value: "{{ .Params.NONE }}"}\n- {name: b, unit: x, value: "{{ .Params.PASSWORD }}"}\n- {name: c, unit: x, value: "{{ if }}"}\n- {name: d, unit: x, value: "{{ .PlanName }}"}\n',
    ),
  ).toEqual([
    'operator.yaml:8: parameter "NONE" in meter a is not defined',
    'operator.yaml:9: meter b uses the secret parameter "PASSWORD"',
    expect.stringMatching(/^operator.yaml:10: the value of meter c is not a template: /),
    'operator.yaml:11: meter d uses the variable "PlanName", which meters do not have',
  ]);
});
