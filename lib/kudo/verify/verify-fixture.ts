// What the tests of reading and verifying packages share.

import { parsePackage } from '@/lib/kudo/package/parse-package';
import { parseParameterChecks } from './parameter-checks';
import { verifyPackage } from './verify';

export const OPERATOR_HEAD = 'name: a\noperatorVersion: "1.0.0"\nkubernetesVersion: "1.25"\n';
export const DEPLOY =
  'plans:\n  deploy:\n    strategy: serial\n    phases: [{name: p, strategy: serial, steps: [{name: s, tasks: [t]}]}]\n';
export const APPLY = 'tasks:\n- {name: t, kind: Apply, spec: {resources: [x.yaml]}}\n';
export const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n';

interface Given {
  operator?: string;
  params?: string;
  templates?: { [key: string]: string };
  checks?: string;
  isForInstall?: boolean;
}

export function verify({
  operator = OPERATOR_HEAD + APPLY + DEPLOY,
  params = '',
  templates = { 'x.yaml': CONFIG },
  checks,
  isForInstall = false,
}: Given) {
  const files = new Map([
    ['operator.yaml', operator],
    ['params.yaml', params],
    ...Object.entries(templates).map(([key, text]): [string, string] => [`templates/${key}`, text]),
  ]);
  const parsed = parsePackage(files);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ path, message }) => `${path} ${message}`).join('\n'));
  const options = checks === undefined ? {} : { checks: parseParameterChecks(checks) };
  const { errors, warnings } = verifyPackage(parsed.package, { before: parsed.warnings, isForInstall, ...options });
  return {
    errors: errors.map(({ message }) => message),
    warnings: warnings.map(({ message }) => message),
    all: [...errors, ...warnings],
  };
}

export const parameters = (...entries: string[]) => `parameters:\n${entries.map((entry) => `- {${entry}}\n`).join('')}`;
export const uses = (...names: string[]) => ({
  'x.yaml': `${CONFIG}data:\n${names.map((name) => `  ${name.toLowerCase()}: "{{ .Params.${name} }}"\n`).join('')}`,
});
