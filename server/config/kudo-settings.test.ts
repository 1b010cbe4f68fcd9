import { describe, expect, it } from 'vitest';
import { checkKudoSettings } from './kudo-settings';

describe('the settings of KUDO’s manager', () => {
  it.each(['', '10h', '1h30m', '1.5h', '.5s', '-1s', '0', '90ms'])('%j is taken, and changes nothing', (text) => {
    expect(() => checkKudoSettings({ KUDO_SYNCPERIOD: text })).not.toThrow();
    expect(() => checkKudoSettings({})).not.toThrow();
  });

  it.each(['abc', '10', '1d', 'h', '1h '])(
    'MGR-01 %j ends the start with a sentence that names the setting',
    (text) => {
      expect(() => checkKudoSettings({ KUDO_SYNCPERIOD: text })).toThrow(
        `KUDO_SYNCPERIOD: "${text}" is not a duration`,
      );
    },
  );
});
