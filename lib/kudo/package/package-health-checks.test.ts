import { describe, expect, it } from 'vitest';
import { HEALTH_CHECKS_ANNOTATION, healthChecksOf } from '../health-checks/definitions';
import { APPLY, DEPLOY, OPERATOR_HEAD, parameters, verify } from '../verify/verify-fixture';
import { parsePackage } from './parse-package';
import { packageToObjects } from './to-objects';

const operator = (checks: string) => `${OPERATOR_HEAD}${APPLY}${DEPLOY}healthChecks:\n${checks}`;
const read = (checks: string) =>
  parsePackage(
    new Map([
      ['operator.yaml', operator(checks)],
      ['params.yaml', ''],
      ['templates/x.yaml', ''],
    ]),
  );
const problems = (checks: string) => {
  const parsed = read(checks);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path} ${message}`);
};

describe('health checks of a package', () => {
  it('become an annotation of the OperatorVersion, with their defaults', () => {
    const parsed = read(
      '- {name: lag, kind: exec, pods: {app: db}, command: [check, 5], enabled: false}\n- {name: web, kind: http, port: 80}\n',
    );
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const { operatorVersion } = packageToObjects(parsed.package, { namespace: 'n' });
    expect(Object.keys(operatorVersion.metadata.annotations ?? {})).toEqual([HEALTH_CHECKS_ANNOTATION]);
    expect(JSON.stringify(operatorVersion.spec)).not.toContain('healthChecks');
    const times = { mode: 'all', periodMs: 30_000, timeoutMs: 5_000 };
    expect(healthChecksOf(operatorVersion)).toEqual([
      { name: 'lag', kind: 'exec', pods: { app: 'db' }, command: ['check', '5'], enabled: 'false', ...times },
      { name: 'web', kind: 'http', port: '80', ...times },
    ]);
  });

  it('that are wrong are reported with their line', () => {
    expect(
      problems(`- {name: Lag, kind: exec}
- {name: a, kind: sql, command: [x]}
- {name: a, kind: tcp, port: 0, path: /}
- {name: b, kind: http, port: 80, path: x, scheme: ftp}
- name: c
  kind: exec
  command: [x]
  mode: some
  period: 1s
  timeout: 2m
  comand: y
`),
    ).toEqual([
      'operator.yaml:11 "Lag" is not a name of a health check: use lower case letters, digits and -',
      'operator.yaml:11 a health check of kind exec needs a "command"',
      'operator.yaml:12 "kind" must be one of exec, http, tcp',
      'operator.yaml:13 two health checks have the name "a"',
      'operator.yaml:13 a health check of kind tcp has no key "path"',
      'operator.yaml:13 a health check of kind tcp needs a "port" from 1 to 65535',
      'operator.yaml:14 "path" must begin with /',
      'operator.yaml:14 "scheme" must be one of http, https',
      'operator.yaml:21 a health check of kind exec has no key "comand"',
      'operator.yaml:18 "mode" must be one of all, any, first',
      'operator.yaml:19 "period" is at least 5s',
      'operator.yaml:20 "timeout" is at most 60s',
    ]);
  });

  it('are at most ten', () => {
    const many = Array.from({ length: 11 }, (_, n) => `- {name: c${n}, kind: tcp, port: 80}\n`).join('');
    expect(problems(many)).toEqual(['operator.yaml:10 an operator has at most 10 health checks, and this one has 11']);
  });

  it('may use parameters, but none that is secret or not defined, and no variable of plans', () => {
    const checks = `- name: lag
  kind: exec
  command: [x, '{{ .Params.MAX }}', '{{ .Params.DB_PASSWORD }}', '{{ .Params.NONE }}', '{{ .PlanName }}', '{{ if }}']
`;
    const { all } = verify({
      operator: operator(checks),
      params: parameters('name: MAX, default: "5"', 'name: DB_PASSWORD, default: ""', 'name: UNUSED, default: ""'),
    });
    expect(all.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'operator.yaml:13 command[2] of health check lag uses the secret parameter "DB_PASSWORD"; read the value inside the container instead',
      'operator.yaml:13 parameter "NONE" in command[3] of health check lag is not defined',
      'operator.yaml:13 command[4] of health check lag uses the variable "PlanName", which health checks do not have',
      expect.stringContaining('operator.yaml:13 command[5] of health check lag is not a template: '),
      'params.yaml:4 parameter "UNUSED" defined but not used.',
    ]);
  });
});
