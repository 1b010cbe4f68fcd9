import { describe, expect, it } from 'vitest';
import { getAt } from '@/lib/json/json';
import { consoleObjects } from '@/lib/kudo/installation/console';
import { defaultInstallation } from '@/lib/kudo/installation/manifest-files';
import { allowedHosts, isAllowedHost } from './host';

const allowed = allowedHosts({ host: '127.0.0.1', port: 3000 });

describe('isAllowedHost', () => {
  it.each(['localhost:3000', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000'])('admits %s', (host) => {
    expect(isAllowedHost(host, allowed)).toBe(true);
  });

  it.each(['startupProbe', 'livenessProbe', 'readinessProbe'])('admits the %s of an installed console', (probe) => {
    const installation = defaultInstallation('1.0.0');
    const objects = consoleObjects(installation, installation.console ?? expect.fail('The default has a console.'));
    const deployment = objects.find(({ kind }) => kind === 'Deployment') ?? {};
    const headers = getAt(deployment, 'spec', 'template', 'spec', 'containers', 0, probe, 'httpGet', 'httpHeaders');
    expect(headers).toEqual([{ name: 'Host', value: expect.any(String) }]);
    const host = String(getAt(headers, 0, 'value'));
    expect(isAllowedHost(host, allowedHosts({ host: '0.0.0.0', port: 3000 }))).toBe(true);
  });

  it.each([
    null,
    undefined,
    '',
    'localhost',
    'localhost:3001',
    'localhost:3000.evil.test',
    'evil.test:3000',
    'evil.test',
    '127.0.0.1.nip.io:3000',
    '2130706433:3000',
    '0.0.0.0:3000',
    'localhost:3000, evil.test',
    'localhost:3000@evil.test',
    'localhost.:3000',
    '::1:3000',
  ])('refuses %s', (host) => {
    expect(isAllowedHost(host, allowed)).toBe(false);
  });

  it('admits a name without a port on port 80, where browsers leave it out', () => {
    expect(isAllowedHost('localhost', allowedHosts({ host: '127.0.0.1', port: 80 }))).toBe(true);
  });
});
