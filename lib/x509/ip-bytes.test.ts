import { describe, expect, it } from 'vitest';
import { ipBytes } from './ip-bytes';

describe('ipBytes', () => {
  it.each([
    ['127.0.0.1', [127, 0, 0, 1]],
    ['::1', [...Array(15).fill(0), 1]],
    ['::', Array(16).fill(0)],
    ['fe80::a:1', [0xfe, 0x80, ...Array(10).fill(0), 0, 0x0a, 0, 1]],
    ['::ffff:10.0.0.1', [10, 0, 0, 1]],
    ['1:2:3:4:5:6:7:8', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]],
  ])('reads %s', (text, bytes) => {
    expect([...(ipBytes(text) ?? [])]).toEqual(bytes);
  });

  it.each([
    '',
    'localhost',
    '256.0.0.1',
    '010.0.0.1',
    'fe80::1%eth0',
    '1.2.3',
    '1.2.3.4.5',
    '1:2',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7:8::',
    'g::1',
  ])('reads no address in "%s"', (text) => {
    expect(ipBytes(text)).toBeUndefined();
  });
});
