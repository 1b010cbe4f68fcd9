import { describe, expect, it } from 'vitest';
import { DEADLINES_ANNOTATION } from '../plan/deadlines';
import { parsePackage } from './parse-package';
import { packageToObjects } from './to-objects';

const files = (step: string, plan = '') =>
  new Map([
    [
      'operator.yaml',
      `name: a
operatorVersion: "1.0.0"
tasks: [{name: t, kind: Dummy, spec: {done: true}}]
plans:
  deploy:
    ${plan}
    strategy: serial
    phases:
    - name: main
      strategy: serial
      steps:
      - name: nodes
        tasks: [t]
        ${step}
`,
    ],
    ['params.yaml', 'parameters: []\n'],
  ]);

describe('deadlines of a package', () => {
  it('of steps and plans become one annotation of the OperatorVersion, and nothing else', () => {
    const read = parsePackage(files('deadline: 10m', 'deadline: 1h'));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    const { operatorVersion } = packageToObjects(read.package, { namespace: 'n' });
    expect(operatorVersion.metadata.annotations).toEqual({
      [DEADLINES_ANNOTATION]: 'deploy=1h, deploy.main.nodes=10m',
    });
    expect(JSON.stringify(operatorVersion.spec)).not.toContain('deadline');
  });

  it('that are not durations are reported with their line', () => {
    const read = parsePackage(files('deadline: soon'));
    expect(read.ok ? [] : read.problems).toMatchObject([
      { path: 'operator.yaml:14', message: '"deadline" must be a duration such as 90s, 10m or 1h30m' },
    ]);
  });

  it('do not exist by default', () => {
    const read = parsePackage(files(''));
    expect(read.ok && packageToObjects(read.package, { namespace: 'n' }).operatorVersion.metadata).not.toHaveProperty(
      'annotations',
    );
  });
});
