import { describe, expect, it } from 'vitest';
import { DEPLOY, OPERATOR_HEAD, verify } from './verify-fixture';

const CLAIM = 'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: data}\n';
const SET = (policy: string) => `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: {{ .Params.REPLICAS }}
  persistentVolumeClaimRetentionPolicy:
    ${policy}
`;

interface Given {
  kind?: string;
  template?: string;
  /** What plan \`drop\` says beside its phases. */
  said?: string;
  trigger?: string;
}

const found = ({ kind = 'Delete', template = CLAIM, said = '', trigger = 'drop' }: Given) => {
  const toggle = kind === 'Toggle' ? ', parameter: REPLICAS' : '';
  const tasks = `tasks:\n- {name: t, kind: Apply, spec: {resources: [x.yaml]}}\n- {name: d, kind: ${kind}, spec: {resources: [x.yaml]${toggle}}}\n`;
  const drop = `  drop: {strategy: serial, ${said} phases: [{name: p, strategy: serial, steps: [{name: s, tasks: [d]}]}]}\n`;
  const given = {
    operator: OPERATOR_HEAD + tasks + DEPLOY + drop,
    params: `parameters:\n- {name: REPLICAS, default: "1", trigger: ${trigger}}\n`,
    templates: { 'x.yaml': `# {{ .Params.REPLICAS }}\n${template}` },
  };
  return { errors: verify(given).errors, warnings: verify({ ...given, isForInstall: true }).warnings };
};

const DELETES =
  'plan "drop" deletes PersistentVolumeClaims (task "d", template x.yaml) and is not marked "destructive: true"';

describe('verifyPackage on plans that delete volumes', () => {
  it.each([['Delete'], ['Toggle']])(
    'refuses a %s task with a PersistentVolumeClaim in a plan that is not destructive',
    (kind) => {
      expect(found({ kind }).errors).toEqual([DELETES]);
      expect(found({ kind, said: 'destructive: false,' }).errors).toEqual([DELETES]);
      expect(found({ kind, said: 'destructive: true,' }).errors).toEqual([]);
    },
  );

  it('only warns when the package is to be installed', () => {
    expect(found({}).warnings).toEqual([DELETES]);
  });

  it('sees a claim in a branch that the defaults do not take, and in a list', () => {
    const branch = `kind: List\napiVersion: v1\nitems:\n{{ if eq .Params.REPLICAS "9" }}\n- kind: "PersistentVolumeClaim" # data\n{{ end }}\n`;
    expect(found({ template: branch }).errors).toEqual([DELETES]);
  });

  it('accepts tasks that apply claims, or delete something else', () => {
    expect(found({ kind: 'Apply' }).errors).toEqual([]);
    const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: "kind: PersistentVolumeClaim"}\n';
    expect(found({ template: config }).errors).toEqual([]);
  });

  it('sees a StatefulSet that deletes its claims with it', () => {
    expect(found({ template: SET('whenDeleted: Delete') }).errors).toEqual([
      expect.stringContaining('deletes a StatefulSet with whenDeleted: Delete (task "d"'),
    ]);
    expect(found({ template: SET('whenDeleted: Retain') }).errors).toEqual([]);
  });

  it('asks for a word about a plan that scales a StatefulSet whose removed members lose their claims', () => {
    const given = { kind: 'Apply', template: SET('whenScaled: Delete') };
    expect(found(given).errors).toEqual([
      'plan "drop" scales a StatefulSet with whenScaled: Delete (task "d", template x.yaml, parameter REPLICAS) and says neither "destructive: true" nor "destructive: false"',
    ]);
    expect(found({ ...given, said: 'destructive: false,' }).errors).toEqual([]);
    expect(found({ ...given, said: 'destructive: true,' }).errors).toEqual([]);
    expect(found({ ...given, trigger: 'deploy' }).errors).toEqual([expect.stringMatching(/^plan "deploy" scales /)]);
  });
});
