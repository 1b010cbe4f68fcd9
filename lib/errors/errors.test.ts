import { describe, expect, it, vi } from 'vitest';
import { BlockedError, BravoError, ConflictError, messageOf, TerminalError, TransientError } from './errors';

class Refused extends TerminalError {}

describe('the kinds of errors', () => {
  const all = [ConflictError, TransientError, BlockedError, TerminalError];

  it('are distinguished by instanceof', () => {
    for (const Made of all) {
      const error = new Made('it went wrong', 'Wrong');
      expect(error).toBeInstanceOf(BravoError);
      expect(all.filter((Asked) => error instanceof Asked)).toEqual([Made]);
      expect(error.name).toBe(Made.name);
    }
  });

  it('are recognised when another copy of the module created them', async () => {
    vi.resetModules();
    const copy = await import('./errors');
    expect(copy.ConflictError).not.toBe(ConflictError);
    const error = new copy.ConflictError('somebody was faster', 'Conflict');
    expect(error).toBeInstanceOf(BravoError);
    expect(all.filter((Asked) => error instanceof Asked)).toEqual([ConflictError]);
  });

  it('match subclasses by their class only', () => {
    const plain = new TerminalError('no', 'No');
    expect(plain instanceof Refused).toBe(false);
    expect(new Refused('no', 'No')).toBeInstanceOf(Refused);
    expect(new Refused('no', 'No')).toBeInstanceOf(TerminalError);
  });

  it('do not include other errors and objects that only look similar', () => {
    for (const other of [new Error('plain'), { kind: 'conflict', reason: 'Conflict' }, undefined, 'conflict']) {
      expect(other instanceof BravoError).toBe(false);
      expect(other instanceof ConflictError).toBe(false);
    }
  });

  it('keep a message within 1 KiB', () => {
    expect(new TerminalError('x'.repeat(5_000), 'Long').message).toHaveLength(1024);
    expect(messageOf('a text')).toBe('a text');
  });
});
