import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OPERATOR_UPGRADES, type OperatorUpgrade } from '@/lib/kudo/upgrades/operator-upgrade';
import { createNamespace, type Engine, startEngine } from '@/test/engine/https-engine';
import { writePondReleases } from '@/test/operators/pond-releases';
import { runBravo } from '@/test/programs/run-bravo';

/** Three versions of one operator in a repository of files, and an Instance of the oldest. */
describe('upgrades on the command line', () => {
  let engine: Engine;
  let folder: string;
  const path = (...parts: string[]) => join(folder, ...parts);
  const bravo = (...words: string[]) => runBravo(...words, '--home', path('home'));
  const upgrades = (...words: string[]) => bravo('upgrades', ...words, '-n', 'lab');

  beforeAll(async () => {
    engine = await startEngine();
    await createNamespace(engine.api, 'lab');
    folder = await mkdtemp(join(tmpdir(), 'bravo-upgrades-'));
    await writeFile(path('kubeconfig'), engine.sandbox.kubeconfig);
    process.env.KUBECONFIG = path('kubeconfig');
    await mkdir(path('repo'));
    await writePondReleases(path('pond'));
    for (const version of ['0.1.0', '0.2.0', '0.3.0'])
      await bravo('package', 'create', path('pond', version), '-d', path('repo'));
    await bravo('init', '--client-only');
  });
  afterAll(async () => {
    delete process.env.KUBECONFIG;
    await engine?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const linesOf = (out: string) => out.split('\n').map((line) => line.trimEnd().replace(/\t/g, ' '));

  const ends = (phase: string) =>
    vi.waitFor(
      async () => {
        const found = (await engine.api.get({
          ...OPERATOR_UPGRADES,
          namespace: 'lab',
          name: 'fish',
        })) as OperatorUpgrade;
        expect(found.status?.phase).toBe(phase);
      },
      { timeout: 60_000, interval: 200 },
    );

  it('writes channels, withdrawals and advisories into an index, and keeps them when it is made anew', async () => {
    const releases = `entries:
  pond:
  - operatorVersion: 0.1.0
    advisories: [{id: POND-1, severity: high, summary: Fish escape, fixedIn: 0.2.0}]
  - {operatorVersion: 0.2.0, required: true}
`;
    await writeFile(path('releases.yaml'), releases);
    const index = (...words: string[]) => bravo('repo', 'index', path('repo'), ...words);
    expect((await index('--channel', 'Stable')).err).toContain('--channel must be names of lower case letters');
    expect((await index('--releases', path('none'))).err).toContain('--releases: ENOENT');
    expect((await index('--url', '.', '--channel', 'stable', '--releases', path('releases.yaml'))).code).toBe(0);
    const base = pathToFileURL(path('repo')).href;
    expect((await index('--url', base, '-w', '--merge', base)).code).toBe(0);
    expect((await bravo('repo', 'add', 'lab', base)).code).toBe(0);
  });

  it('shows the path, the parameters, the plans and the objects of an upgrade', async () => {
    const install = await bravo('install', path('pond', '0.1.0'), '--instance', 'one', '-n', 'lab', '--wait');
    expect(install.err).toBe('');
    const plan = await upgrades('plan', 'one', '--repo', 'lab', '-p', 'ZONE=west');
    expect(plan.err).toBe('');
    expect(linesOf(plan.out)).toEqual([
      'Instance lab/one: pond 0.1.0 → 0.3.0',
      'Advisories of the installed version:',
      '  POND-1 (high): Fish escape. Fixed in 0.2.0.',
      'Path:',
      '  0.1.0 → 0.2.0: plan update',
      '  0.2.0 → 0.3.0: plan update',
      'Checks:',
      '  Path                            ok',
      '  Advisories                      ok',
      '  Kubernetes version              ok',
      '  Removed APIs                    ok',
      '  Parameters                      ok',
      '  Locks, preconditions, approvals ok',
      '  Running plan                    ok',
      '  CustomResourceDefinitions       ok',
      '  Objects                         ok',
      '  Backups                         ok',
      'Parameters:',
      '  NAME  CHANGE  DEFAULT NOW  NEW  NOTES',
      '  LEVEL changed info    info warn default warn instead of info',
      '  ZONE  added   -       -    west',
      'Plans:',
      '  backup is changed',
      '    + main / check: conf',
      'Objects:',
      '  ConfigMap one changes',
      '           blockOwnerDeletion: true',
      '     data:',
      '    -  level: info',
      '    +  zone: west',
      '    +  level: warn',
      '       file: a',
      'The upgrade can start.',
      '',
    ]);
    expect(plan.code).toBe(0);
  });

  it('says what stops an upgrade: a value that is missing, a lock, a version that does not exist', async () => {
    const checks = async (...words: string[]) =>
      linesOf((await upgrades('plan', 'one', '--repo', 'lab', ...words)).out).filter((line) =>
        line.includes('blocked'),
      );
    expect(await checks()).toEqual([
      '  Parameters                      blocked pond-0.3.0: parameter "ZONE" is required but has no value set',
    ]);
    await bravo('lock', 'one', '--until', '1h', '--reason', 'audit', '-n', 'lab');
    expect((await checks('--to', '0.2.0'))[0]).toMatch(/Locks, preconditions, approvals blocked .*audit/);
    await bravo('unlock', 'one', '-n', 'lab');
    expect((await upgrades('plan', 'one', '--repo', 'lab', '--to', '7')).err).toBe(
      'Error: no version 7 of operator pond was found\n',
    );
    expect((await upgrades('plan', '--repo', 'lab')).err).toContain('name the instances, or use --selector or --all');
  });

  it('shows several Instances in a table, and a package that is in no repository', async () => {
    await bravo('install', path('pond', '0.2.0'), '--instance', 'two', '-n', 'lab', '--wait');
    const table = await upgrades('plan', '--all', '--operator', 'pond', '--repo', 'lab', '-p', 'ZONE=west');
    expect(linesOf(table.out)).toEqual([
      'INSTANCE INSTALLED PATH          PLANS          STATE PROBLEM',
      'one      0.1.0     0.2.0 → 0.3.0 update, update ready',
      'two      0.2.0     0.3.0         update         ready',
      '',
    ]);
    const upgrade = (...words: string[]) =>
      bravo('upgrade', path('pond', '0.3.0'), '--instance', ...words, '-n', 'lab');
    expect(linesOf((await upgrade('two', '--plan')).out)[0]).toBe('Instance lab/two: pond 0.2.0 → 0.3.0');
    expect(linesOf((await upgrade('one', '--plan')).out)).toContain(
      '  Path blocked Version 0.3.0 upgrades from operatorVersion >=0.2.0 <0.3.0 only, and not from 0.1.0.',
    );
    expect((await upgrade('one')).err).toBe(
      'Error: version 0.3.0 upgrades from operatorVersion >=0.2.0 <0.3.0 only, and not from 0.1.0: upgrade to a version between them first\n',
    );
  });

  it('upgrades both in waves, shows how far that is, and takes it back', async () => {
    const start = (...words: string[]) => upgrades('start', '--all', '--repo', 'lab', '-p', 'ZONE=west', ...words);
    expect((await start('--wave-size', 'two')).err).toContain('--wave-size must be a whole number from 1 on');
    expect((await start('--window', 'at night')).err).toContain('"at night" is no cron expression');
    expect(Object.values(await start('--name', 'fish', '--roll-back-wave')).join()).toBe(
      'upgrade lab/fish created: 2 instances to pond-0.3.0\n,,0',
    );
    await ends('Complete');
    expect(linesOf((await upgrades('list')).out)[1]).toBe(
      'lab       fish pond     Complete      2/2      All 2 Instances are upgraded.',
    );
    const shown = linesOf((await upgrades('show', 'fish')).out);
    expect(shown).toContain('Path:     pond-0.2.0 → pond-0.3.0');
    expect(shown).toContain('2    two      Upgraded pond-0.2.0');
    expect((await start()).out).toBe('every instance has the newest version\n');
    expect((await upgrades('roll-back', 'fish')).out).toBe('upgrade lab/fish rolls back\n');
    await ends('RolledBack');
    expect(linesOf((await upgrades('plan', '--all', '--repo', 'lab')).out)[1]).toContain('one      0.1.0');
    expect((await upgrades('pause', 'none')).err).toBe('Error: upgrade lab/none does not exist\n');
  });
});
