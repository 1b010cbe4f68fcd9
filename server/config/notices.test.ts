import { expect, it } from 'vitest';
import { DEFAULT_NOTICES, readNoticeSettings } from './notices';

it('notices have no links and no receivers on this machine unless the settings say so', () => {
  expect(readNoticeSettings({ BRAVO_URL: '', BRAVO_NOTICES_ALLOW_LOCAL: '' })).toEqual(DEFAULT_NOTICES);
  expect(readNoticeSettings({ BRAVO_URL: 'https://a.example/ui/', BRAVO_NOTICES_ALLOW_LOCAL: 'true' })).toEqual({
    allowLocal: true,
    consoleUrl: 'https://a.example/ui',
  });
});

it('wrong settings of notices are all named', () => {
  expect(() => readNoticeSettings({ BRAVO_URL: 'ftp://a', BRAVO_NOTICES_ALLOW_LOCAL: 'yes' })).toThrow(
    'BRAVO_URL: it is not an address such as https://bravo.example.org.\nBRAVO_NOTICES_ALLOW_LOCAL: "yes" is not one of true, false.',
  );
});
