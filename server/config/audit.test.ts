import { describe, expect, it } from 'vitest';
import { readAuditSettings } from './audit';

describe('the settings of the audit log', () => {
  it('are a file below the data folder, 100 MB and 90 days', () => {
    expect(readAuditSettings({}, '/work')).toEqual({
      mode: 'file',
      folder: '/work/.bravo/audit',
      maxBytes: 100_000_000,
      maxAgeMs: 90 * 86_400_000,
    });
  });

  it('can be set', () => {
    const environment = { BRAVO_AUDIT: 'stdout', BRAVO_AUDIT_MB: '5', BRAVO_AUDIT_DAYS: '7', BRAVO_DATA: '/data' };
    expect(readAuditSettings(environment, '/work')).toMatchObject({
      mode: 'stdout',
      folder: '/data/audit',
      maxBytes: 5_000_000,
      maxAgeMs: 7 * 86_400_000,
    });
  });

  it('name every mistake', () => {
    const environment = { BRAVO_AUDIT: 'syslog', BRAVO_AUDIT_MB: '0', BRAVO_AUDIT_DAYS: '1.5' };
    expect(() => readAuditSettings(environment, '/work')).toThrow(
      /BRAVO_AUDIT: "syslog" is not one of file, stdout, off\.\nBRAVO_AUDIT_MB: "0".*\nBRAVO_AUDIT_DAYS: "1.5"/,
    );
  });
});
