import { describe, expect, it } from 'vitest';
import type { PackageSummary } from '@/lib/kudo/package/catalogue';
import type { OperatorVersion } from '@/lib/kudo/types';
import { choiceLabel, versionChoices } from './version-choices';

const installed = (app: string, version: string, namespace = 'demo'): OperatorVersion => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: `db-${app}-${version}`, namespace },
  spec: { operator: { name: 'db' }, appVersion: app, version },
});

const packed = (app: string, version: string, name = 'db'): PackageSummary => ({
  name,
  key: `${app}-${version}`,
  operatorVersion: version,
  appVersion: app,
  origin: 'bundled',
  description: '',
  url: '',
  maintainers: [],
  parameterCount: 0,
  plans: [],
  warnings: [],
});

describe('the versions that an Instance can be moved to', () => {
  const current = installed('16.9', '1.1.0');

  it('are those of the namespace and of the catalogue, each once, newest first', () => {
    const choices = versionChoices(
      current,
      [current, installed('16.8', '1.0.0'), installed('15.1', '0.9.0'), installed('16.8', '1.0.0', 'other')],
      [packed('17.0', '1.2.0'), packed('16.9', '1.1.0'), packed('16.8', '1.0.0'), packed('3.0', '1.0.0', 'cache')],
    );
    expect(choices.map(choiceLabel)).toEqual([
      '17.0 (operator 1.2.0), not installed yet',
      '16.8 (operator 1.0.0)',
      '15.1 (operator 0.9.0)',
    ]);
    expect(choices.map(({ packageKey }) => packageKey)).toEqual(['17.0-1.2.0', '16.8-1.0.0', undefined]);
  });
});
