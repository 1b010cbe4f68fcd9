import type { OperatorVersionSpec, Task } from '@/lib/kudo/types';
import { plan } from './templates';

const configMap = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: "${value}"\n`;

const apply = (name: string): Task => ({ name, kind: 'Apply', spec: { resources: [`${name}.yaml`] } });

/** An operator of ConfigMaps and Dummy tasks: every feature of plans that needs no pods. */
export const simpleOperator: OperatorVersionSpec = {
  templates: {
    'config.yaml': configMap('{{ .Name }}-config', '{{ .Params.VALUE }}'),
    'other.yaml': configMap('{{ .Name }}-other', 'fixed'),
    'chance.yaml': configMap('{{ .Name }}-chance', '{{ randAlphaNum 12 }}'),
  },
  tasks: [
    apply('config'),
    apply('other'),
    apply('chance'),
    { name: 'toggle', kind: 'Toggle', spec: { resources: ['other.yaml'], parameter: 'ON' } },
    { name: 'remove', kind: 'Delete', spec: { resources: ['config.yaml'] } },
    { name: 'fatal', kind: 'Dummy', spec: { wantErr: true, fatal: true } },
    { name: 'fails', kind: 'Dummy', spec: { wantErr: true } },
    { name: 'never', kind: 'Dummy', spec: {} },
    { name: 'done', kind: 'Dummy', spec: { done: true } },
  ],
  parameters: [
    { name: 'VALUE', default: 'one' },
    { name: 'ON', default: 'true' },
    { name: 'FIXED', default: 'x', immutable: true },
    { name: 'BACKED', default: 'a', trigger: 'backup' },
  ],
  plans: {
    deploy: plan(['config', 'config', 'toggle'], ['rest', 'chance']),
    backup: plan(['one', 'done']),
    breaks: plan(['one', 'done'], ['two', 'fatal']),
    hangs: plan(['one', 'chance', 'never']),
  },
};
