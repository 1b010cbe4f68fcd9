import { describe, expect, it } from 'vitest';
import { readProfileSettings } from './profiles';

describe('readProfileSettings', () => {
  it('writes no profiles unless it is told to', () => {
    expect(readProfileSettings({}, '/work')).toEqual({ isOn: false, folder: '/work/.bravo/profiles' });
    expect(readProfileSettings({ BRAVO_PROFILES: 'on', BRAVO_DATA: '/data' }, '/work')).toEqual({
      isOn: true,
      folder: '/data/profiles',
    });
  });

  it('takes a folder of its own', () => {
    expect(readProfileSettings({ BRAVO_PROFILE_DIR: 'here' }, '/work').folder).toBe('/work/here');
  });

  it('names what is neither on nor off', () => {
    expect(() => readProfileSettings({ BRAVO_PROFILES: 'yes' }, '/work')).toThrow(
      'BRAVO_PROFILES: "yes" is not one of on, off.',
    );
  });
});
