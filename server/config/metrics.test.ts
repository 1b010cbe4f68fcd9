import { describe, expect, it } from 'vitest';
import { readMetricsSettings } from './metrics';

describe('readMetricsSettings', () => {
  it('serves metrics on the loopback interface unless it is told otherwise', () => {
    expect(readMetricsSettings({})).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(readMetricsSettings({ BRAVO_METRICS_HOST: '0.0.0.0', BRAVO_METRICS_PORT: '9500' })).toEqual({
      host: '0.0.0.0',
      port: 9500,
    });
  });

  it('serves none when the port is off', () => {
    expect(readMetricsSettings({ BRAVO_METRICS_PORT: 'off' })).toBeUndefined();
  });

  it('names every setting that is wrong', () => {
    expect(() => readMetricsSettings({ BRAVO_METRICS_PORT: '0', BRAVO_METRICS_HOST: 'a b' })).toThrow(
      'BRAVO_METRICS_HOST: "a b" is neither a host name nor an IP address.\n' +
        'BRAVO_METRICS_PORT: "0" is not a port; give a number from 1 to 65535, or off.',
    );
  });
});
