import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@/lib/kube/object';
import { instance, parameter, version } from '@/lib/kudo/admission/decision-fixture';
import { PLAN_METADATA_ANNOTATION } from '@/lib/kudo/names';
import type { Instance } from '@/lib/kudo/types';
import { judgePreconditions, objectsToRead, type PlanStart, preconditionRefusal } from './judge-preconditions';
import type { PlanMetadata } from './plan-metadata';
import type { ObjectRead } from './plan-objects';

const PARAMETERS = [
  parameter('REPLICAS', { 'value-type': 'integer', default: '3' }),
  parameter('SHARE', { 'value-type': 'number', default: '0.5' }),
  parameter('METRICS', { 'value-type': 'boolean', default: 'false' }),
  parameter('HOSTS', { 'value-type': 'array' }),
  parameter('LABELS', { 'value-type': 'map', default: 'a: {b: 1}' }),
  parameter('NAME', { default: 'x' }),
  parameter('UNSET'),
  parameter('PASSWORD'),
];

function start(metadata: PlanMetadata, given: Instance = instance()): PlanStart {
  const operatorVersion = version('v1', PARAMETERS);
  operatorVersion.metadata.annotations = { [PLAN_METADATA_ANNOTATION]: JSON.stringify({ backup: metadata }) };
  return { plan: 'backup', instance: given, operatorVersion };
}

const claim: KubeObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'i-backups' },
  spec: { resources: { requests: { storage: '1Gi' } } },
};
const BACKUPS = {
  name: 'backups',
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  objectName: '{{ .Name }}-backups',
};
const KEY = 'v1 PersistentVolumeClaim i-backups';

const judged = (expression: string, given?: Instance, reads: [string, ObjectRead][] = [[KEY, claim]]) =>
  judgePreconditions(
    start({ preconditions: [{ expression, message: 'No.' }], objects: [BACKUPS] }, given),
    new Map(reads),
  );

describe('judgePreconditions', () => {
  it.each([
    ['params.REPLICAS == 3 && params.REPLICAS % 2 == 1'],
    ['params.SHARE < 0.6'],
    ['!params.METRICS'],
    ['size(params.HOSTS) == 0'],
    ['params.LABELS.a.b == 1'],
    ["params.NAME == 'x' && !has(params.UNSET)"],
    ["instance.metadata.name == 'i'"],
    ["has(objects.backups) && objects.backups.spec.resources.requests.storage == '1Gi'"],
    ["quantity(objects.backups.spec.resources.requests.storage).isLessThan(quantity('2Gi'))"],
  ])('sees parameters by their type, the Instance and live objects: %s', (expression) => {
    expect(judged(expression)).toEqual([]);
  });

  it('gives the message of each precondition that does not hold, in order', () => {
    const preconditions = [
      { expression: 'params.REPLICAS > 3', message: 'Set REPLICAS to 5.' },
      { expression: 'true', message: 'Never.' },
      { expression: 'params.METRICS', message: 'Switch METRICS on.' },
    ];
    const problems = judgePreconditions(start({ preconditions }), new Map());
    expect(problems.map(({ message }) => message)).toEqual(['Set REPLICAS to 5.', 'Switch METRICS on.']);
    expect(preconditionRefusal('backup', problems)).toBe(
      'plan "backup" cannot start. Set REPLICAS to 5. Switch METRICS on.',
    );
  });

  it('sees the values of the Instance before defaults', () => {
    expect(judged('params.REPLICAS == 5', instance({ REPLICAS: '5' }))).toEqual([]);
  });

  it('has no member for an object that does not exist', () => {
    expect(judged('!has(objects.backups)', undefined, [[KEY, undefined]])).toEqual([]);
    expect(judged('has(objects.backups)', undefined, [[KEY, undefined]])).toMatchObject([{ outcome: 'fails' }]);
  });

  it('does not know what depends on an object that cannot be read', () => {
    const problem = 'PersistentVolumeClaim i-backups cannot be read (403)';
    expect(judged('!has(objects.backups)', undefined, [[KEY, { problem }]])).toEqual([
      { outcome: 'unknown', message: `A precondition cannot be checked: ${problem}.` },
    ]);
    expect(judged('params.REPLICAS == 3', undefined, [[KEY, { problem }]])).toEqual([]);
  });

  it('does not know what depends on the value of a source that cannot be read', () => {
    const given = { ...start({ preconditions: [{ expression: '!has(params.PASSWORD)', message: 'No.' }] }) };
    expect(judgePreconditions({ ...given, unread: new Set(['PASSWORD']) }, new Map())).toMatchObject([
      {
        outcome: 'unknown',
        message: 'A precondition cannot be checked: the value of parameter PASSWORD cannot be read.',
      },
    ]);
  });

  it.each([
    ['1 +', /^A precondition cannot be checked: compilation failed/],
    ['params.REPLICAS', /params\.REPLICAS gives no bool/],
    ['1 + 1', /must give a bool, not int/],
    ['params.UNSET == 1', /params\.UNSET == 1: no such key: UNSET\.$/],
    ['x'.repeat(5000), /longer than 4096 characters/],
    ['int(params.PASSWORD) > 3', /int\(params\.PASSWORD\) > 3: it cannot be evaluated\.$/],
  ])('refuses what cannot be evaluated, and shows no value: %s', (expression, expected) => {
    const [problem] = judged(expression, instance({ PASSWORD: 'hunter2' }));
    expect(problem?.outcome).toBe('unknown');
    expect(problem?.message).toMatch(expected);
    expect(problem?.message).not.toContain('hunter2');
  });

  it('refuses a plan with more preconditions than it reads', () => {
    const preconditions = Array.from({ length: 17 }, () => ({ expression: 'true', message: 'No.' }));
    expect(judgePreconditions(start({ preconditions }), new Map())).toMatchObject([{ outcome: 'unknown' }]);
  });
});

describe('objectsToRead', () => {
  const withObject = (objectName: string, preconditions = [{ expression: 'true', message: 'No.' }]) =>
    objectsToRead(start({ objects: [{ ...BACKUPS, objectName }], preconditions }, instance({ NAME: 'other' })));

  it('renders names as templates do', () => {
    expect(withObject('{{ .Name }}-{{ .Params.NAME }}')).toMatchObject([{ realName: 'i-other' }]);
  });

  it('leaves out what is no name', () => {
    expect(withObject('../secrets/x')).toEqual([]);
    expect(withObject('{{ fail "no" }}')).toEqual([]);
    expect(withObject('')).toEqual([]);
  });

  it('needs nothing for a plan without preconditions', () => {
    expect(withObject('{{ .Name }}', [])).toEqual([]);
  });
});
