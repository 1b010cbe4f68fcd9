import { describe, expect, it } from 'vitest';
import { decodeProtobuf } from './decode-protobuf';
import { WireError } from './wire';

/** What `kubectl create configmap a --from-literal=x=y` sends. */
const CONFIG_MAP =
  '6b3873000a0f0a0276311209436f6e6669674d6170121b0a110a016112001a0022002a00320038004200' + '12060a01781201791a002200';

/** `k8s\0` and an envelope of a kind around the bytes of a message, all shorter than 128 bytes. */
function body(apiVersion: string, kind: string, message: readonly number[]): Buffer {
  const field = (number: number, bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
  const type = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, type), field(2, Buffer.from(message))]);
}

describe('protobuf bodies', () => {
  it('become the object that JSON would have said, with zeros that the kind drops later', () => {
    expect(decodeProtobuf(Buffer.from(CONFIG_MAP, 'hex'))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', generation: 0, creationTimestamp: null },
      data: { x: 'y' },
    });
  });

  it('keep numbers, and leave out unknown fields', () => {
    // spec (2) { replicas (1) = 0, number 99 = 1 }
    const scale = decodeProtobuf(body('autoscaling/v1', 'Scale', [0x12, 0x05, 0x08, 0x00, 0x98, 0x06, 0x01]));
    expect(scale).toEqual({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 0 } });
  });

  it.each([
    ['no magic', Buffer.from('{}')],
    ['a kind without a message', body('example.com/v1', 'Thing', [])],
    ['a field that ends too early', body('v1', 'ConfigMap', [0x0a, 0x7f])],
    ['a number where a message belongs', body('v1', 'ConfigMap', [0x08, 0x01])],
  ])('are refused with %s', (_, bytes) => {
    expect(() => decodeProtobuf(bytes)).toThrow(WireError);
  });
});
