import { describe, expect, it } from 'vitest';
import { DEFAULT_PIPES, readPipeSettings } from './pipes';

describe('readPipeSettings', () => {
  it('gives busybox with a tag and an hour when nothing is said', () => {
    expect(DEFAULT_PIPES.image).toMatch(/^busybox:\d+\.\d+\.\d+$/);
    expect(readPipeSettings({ BRAVO_PIPE_IMAGE: '', BRAVO_PIPE_TIMEOUT: '' })).toEqual(DEFAULT_PIPES);
  });

  it('takes an image of another registry, and another time or none', () => {
    const image = 'registry.example.org:5000/tools/busybox@sha256:0123';
    expect(readPipeSettings({ BRAVO_PIPE_IMAGE: image, BRAVO_PIPE_TIMEOUT: '90s' })).toEqual({
      image,
      timeoutMs: 90_000,
    });
    expect(readPipeSettings({ BRAVO_PIPE_TIMEOUT: '0' }).timeoutMs).toBe(0);
  });

  it('names every setting that it cannot read', () => {
    expect(() => readPipeSettings({ BRAVO_PIPE_IMAGE: 'a b', BRAVO_PIPE_TIMEOUT: 'soon' })).toThrow(
      'BRAVO_PIPE_IMAGE: "a b" is not the name of an image.\nBRAVO_PIPE_TIMEOUT: "soon" is not a duration; write for example 30m, or 0.',
    );
  });
});
