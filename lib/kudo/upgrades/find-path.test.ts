import { describe, expect, it } from 'vitest';
import { findUpgradePath, type Release } from './find-path';

const release = (operatorVersion: string, more: Partial<Release> = {}): Release => ({
  operatorVersion,
  appVersion: '',
  ...more,
});
const at = (operatorVersion: string, appVersion = '') => ({ operatorVersion, appVersion });
const from = (range: string) => ({ upgradableFrom: { operatorVersion: range } });

/** The operator versions of the steps to the newest version of `stable`. */
function newest(installed: string, releases: readonly Release[], channel = 'stable') {
  const { steps, problem } = findUpgradePath(at(installed), { channel, releases });
  return { steps: steps.map(({ operatorVersion }) => operatorVersion), problem };
}

function to(installed: string, target: string, releases: readonly Release[]) {
  const { steps, problem } = findUpgradePath(at(installed), { target: at(target), releases });
  return { steps: steps.map(({ operatorVersion }) => operatorVersion), problem };
}

describe('the path of an upgrade', () => {
  const plain = ['1.0.0', '1.1.0', '2.0.0'].map((version) => release(version));

  it('is one step when nothing is between', () => {
    expect(newest('1.0.0', plain)).toEqual({ steps: ['2.0.0'], problem: undefined });
    expect(to('1.0.0', '1.1.0', plain)).toEqual({ steps: ['1.1.0'], problem: undefined });
  });

  it('is empty for the newest version, and for one that is newer than all', () => {
    expect(newest('2.0.0', plain)).toEqual({ steps: [], problem: undefined });
    expect(newest('3.0.0', plain)).toEqual({ steps: [], problem: undefined });
    expect(to('2.0.0', '2.0.0', plain)).toEqual({ steps: [], problem: undefined });
  });

  it('begins at a version that the repository does not list', () => {
    expect(newest('0.1.0', plain).steps).toEqual(['2.0.0']);
  });

  it('goes through the versions that ranges ask for, by as few steps as possible', () => {
    const releases = [
      release('1.1.0', from('>=1.0.0 <2.0.0')),
      release('1.2.0', from('>=1.0.0 <2.0.0')),
      release('2.0.0', from('>=1.2.0 <2.0.0')),
      release('3.0.0', from('>=2.0.0 <3.0.0')),
    ];
    expect(newest('1.0.0', releases).steps).toEqual(['1.2.0', '2.0.0', '3.0.0']);
    expect(newest('1.2.0', releases).steps).toEqual(['2.0.0', '3.0.0']);
  });

  it('takes the newer one of two ways of the same length', () => {
    const releases = [release('1.1.0'), release('1.2.0'), release('2.0.0', from('>=1.1.0 <2.0.0'))];
    expect(newest('1.0.0', releases).steps).toEqual(['1.2.0', '2.0.0']);
  });

  it('does not skip a required version', () => {
    const releases = [release('1.5.0', { required: true }), release('2.0.0'), release('1.7.0', { required: true })];
    expect(newest('1.0.0', releases).steps).toEqual(['1.5.0', '1.7.0', '2.0.0']);
    expect(newest('1.6.0', releases).steps).toEqual(['1.7.0', '2.0.0']);
    expect(to('1.0.0', '1.5.0', releases).steps).toEqual(['1.5.0']);
  });

  it('goes through a required version of another channel', () => {
    const releases = [release('1.5.0', { required: true, channels: ['bridge'] }), release('2.0.0')];
    expect(newest('1.0.0', releases).steps).toEqual(['1.5.0', '2.0.0']);
  });

  it('names a required version that cannot be reached, and why', () => {
    const releases = [release('1.5.0', { required: true, ...from('>=1.4.0') }), release('2.0.0')];
    expect(newest('1.0.0', releases)).toEqual({
      steps: [],
      problem:
        'Version 1.5.0 must not be skipped on the way to 2.0.0. Version 1.5.0 upgrades from operatorVersion >=1.4.0 only, and not from 1.0.0.',
    });
  });

  it('names a required version that was withdrawn', () => {
    const withdrawn = { reason: 'it loses data.', since: '2026-02-01T00:00:00Z' };
    const releases = [release('1.5.0', { required: true, withdrawn }), release('2.0.0')];
    expect(to('1.0.0', '2.0.0', releases).problem).toBe(
      'Version 1.5.0 must not be skipped on the way to 2.0.0. Version 1.5.0 was withdrawn on 2026-02-01: it loses data.',
    );
  });

  it('goes to no withdrawn version, but from one', () => {
    const releases = [
      release('1.0.0', { withdrawn: { reason: 'bad' } }),
      release('1.1.0'),
      release('1.2.0', { withdrawn: { reason: 'worse' } }),
    ];
    expect(newest('1.0.0', releases)).toEqual({ steps: ['1.1.0'], problem: undefined });
    expect(to('1.0.0', '1.2.0', releases).problem).toBe('Version 1.2.0 was withdrawn: worse.');
  });

  it('goes to no removed version', () => {
    const releases = [release('1.1.0'), release('1.2.0', { removed: true })];
    expect(newest('1.0.0', releases).steps).toEqual(['1.1.0']);
    expect(to('1.0.0', '1.2.0', releases).problem).toBe('Version 1.2.0 is not in the repository.');
  });

  it('takes the newest version that can be reached, and says why a newer one cannot', () => {
    const releases = [release('1.1.0'), release('2.0.0', from('>=1.5.0 <2.0.0'))];
    expect(newest('1.0.0', releases)).toEqual({
      steps: ['1.1.0'],
      problem: 'Version 2.0.0 upgrades from operatorVersion >=1.5.0 <2.0.0 only, and not from 1.1.0.',
    });
  });

  it('refuses a downgrade', () => {
    expect(to('2.0.0', '1.1.0', plain)).toEqual({
      steps: [],
      problem: 'Version 1.1.0 is not newer than the installed 2.0.0; a downgrade is no upgrade.',
    });
  });

  it('keeps to its channel; a version without one is stable', () => {
    const releases = [
      release('1.1.0'),
      release('1.2.0', { channels: ['candidate'] }),
      release('1.3.0-rc.1', { channels: ['candidate', 'edge'] }),
    ];
    expect(newest('1.0.0', releases).steps).toEqual(['1.1.0']);
    expect(newest('1.0.0', releases, 'candidate').steps).toEqual(['1.3.0-rc.1']);
    expect(newest('1.0.0', releases, 'lts').problem).toBe('Channel lts has no version.');
  });

  it('never lets one of the two versions go back', () => {
    const releases = [
      { operatorVersion: '1.1.0', appVersion: '15.8' },
      { operatorVersion: '1.0.0', appVersion: '16.9' },
      { operatorVersion: '1.1.0', appVersion: '16.9' },
    ];
    const { steps } = findUpgradePath(at('1.1.0', '15.8'), { channel: 'stable', releases });
    expect(steps).toEqual([{ operatorVersion: '1.1.0', appVersion: '16.9' }]);
    expect(findUpgradePath(at('1.1.0', '15.8'), { target: at('1.0.0', '16.9'), releases }).problem).toContain(
      'downgrade',
    );
  });

  it('honours ranges over the version of the application', () => {
    const releases = [
      { operatorVersion: '1.0.0', appVersion: '15.8' },
      { operatorVersion: '1.0.0', appVersion: '16.9', upgradableFrom: { appVersion: '~15.8' } },
    ];
    const path = (appVersion: string) =>
      findUpgradePath(at('1.0.0', appVersion), { channel: 'stable', releases }).steps.map((each) => each.appVersion);
    expect(path('14.0')).toEqual(['15.8', '16.9']);
    expect(path('15.8')).toEqual(['16.9']);
  });

  it('an installed version that is no semantic version is in no range', () => {
    const releases = [release('2.0.0', from('>=0.0.1'))];
    expect(newest('latest', releases).problem).toBe(
      'Version 2.0.0 upgrades from operatorVersion >=0.0.1 only, and not from latest.',
    );
  });

  it('has no steps in an empty repository', () => {
    expect(newest('1.0.0', [])).toEqual({ steps: [], problem: 'Channel stable has no version.' });
  });

  it('answers in time for a repository of 2,000 versions with ranges', () => {
    const releases = Array.from({ length: 2_000 }, (_, index) =>
      release(`1.${index}.0`, {
        ...from(`>=1.${Math.max(0, index - 20)}.0 <1.${index}.0`),
        ...(index % 50 === 0 ? { required: true } : {}),
      }),
    );
    expect(newest('1.1800.0', releases).steps.at(-1)).toBe('1.1999.0');
  });
});
