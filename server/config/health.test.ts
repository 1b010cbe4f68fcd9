import { expect, it } from 'vitest';
import { readHealthPort } from './health';

it.each([
  [undefined, undefined],
  ['', undefined],
  ['off', undefined],
  ['8081', 8081],
  ['0', 0],
])('BRAVO_HEALTH_PORT=%s means port %s', (text, port) => {
  expect(readHealthPort({ BRAVO_HEALTH_PORT: text })).toBe(port);
});

it.each(['no', '65536', '-1'])('BRAVO_HEALTH_PORT=%s is refused', (text) => {
  expect(() => readHealthPort({ BRAVO_HEALTH_PORT: text })).toThrow(
    `BRAVO_HEALTH_PORT: "${text}" is not a port; give a number from 0 to 65535, or off.`,
  );
});
