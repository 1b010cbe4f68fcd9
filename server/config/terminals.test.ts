import { describe, expect, it } from 'vitest';
import { readTerminalSettings } from './terminals';

describe('readTerminalSettings', () => {
  it('has terminals without recordings, unless somebody says otherwise', () => {
    expect(readTerminalSettings({}, '/srv')).toEqual({ isOn: true, recordingsFolder: undefined });
    const said = { BRAVO_TERMINAL: 'off', BRAVO_TERMINAL_RECORDINGS: 'casts' };
    expect(readTerminalSettings(said, '/srv')).toEqual({ isOn: false, recordingsFolder: '/srv/casts' });
    expect(() => readTerminalSettings({ BRAVO_TERMINAL: 'maybe' }, '/srv')).toThrow('"maybe" is not one of on, off');
  });
});
