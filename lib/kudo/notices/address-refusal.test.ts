import { expect, it } from 'vitest';
import { addressRefusal } from './address-refusal';

it.each([
  '169.254.169.254',
  'fe80::1',
  'fe80::1%eth0',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
])('a notice never goes to a metadata service: %s', (address) => {
  expect(addressRefusal(address, true)).toBe('a link-local address or a metadata service');
});

it.each(['127.0.0.1', '127.8.9.1', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1'])(
  'a notice goes to this machine only when that is allowed: %s',
  (address) => {
    expect(addressRefusal(address, false)).toBe('this machine');
    expect(addressRefusal(address, true)).toBeUndefined();
  },
);

it.each(['224.0.0.1', '255.255.255.255', 'ff02::1', 'nothing'])('a notice goes to one machine: %s', (address) => {
  expect(addressRefusal(address, true)).toBeDefined();
});

it.each(['10.0.0.7', '192.168.1.1', '1.1.1.1', '2606:4700::1111', 'fd00::7'])('a notice may go to %s', (address) => {
  expect(addressRefusal(address, false)).toBeUndefined();
});
