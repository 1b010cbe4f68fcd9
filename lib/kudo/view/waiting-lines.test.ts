import { describe, expect, it } from 'vitest';
import { waitingLines } from './waiting-lines';

describe('waitingLines', () => {
  it('cuts a sentence into one line per object', () => {
    expect(waitingLines('StatefulSet db: 2 of 3 ready; pod db-2: ImagePullBackOff')).toEqual([
      { kind: 'StatefulSet', name: 'db', text: '2 of 3 ready' },
      { kind: 'Pod', name: 'db-2', text: 'ImagePullBackOff' },
    ]);
  });

  it('keeps the two parts of one object together', () => {
    expect(
      waitingLines('Deployment web: 0 of 3 available; its progress deadline is exceeded; pod web-x: Error'),
    ).toEqual([
      { kind: 'Deployment', name: 'web', text: '0 of 3 available; its progress deadline is exceeded' },
      { kind: 'Pod', name: 'web-x', text: 'Error' },
    ]);
  });

  it('keeps a text that names no object', () => {
    expect(waitingLines('the lease')).toEqual([{ kind: '', name: '', text: 'the lease' }]);
    expect(waitingLines('3 more pods')).toEqual([{ kind: '', name: '', text: '3 more pods' }]);
  });

  it('is empty for an empty message', () => {
    expect(waitingLines('')).toEqual([]);
  });
});
