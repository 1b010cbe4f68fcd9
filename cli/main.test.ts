import { afterEach, describe, expect, it, vi } from 'vitest';
import { main } from './main';

describe('the name of the program', () => {
  const before = process.exitCode;
  afterEach(() => {
    vi.restoreAllMocks();
    process.exitCode = before;
  });

  it('is the name of the link that started it', async () => {
    let text = '';
    const take = (piece: unknown) => {
      text += String(piece);
      return true;
    };
    vi.spyOn(process.stdout, 'write').mockImplementation(take);
    vi.spyOn(process.stderr, 'write').mockImplementation(take);
    await main(['--version'], 'kubectl-kudo');
    expect(text).toMatch(/^kubectl-kudo version \d/);
    text = '';
    await main(['instal'], 'kubectl-kudo');
    expect(text).toBe(
      'Error: unknown command "instal" for "kubectl-kudo" (Did you mean install?)\nRun \'kubectl-kudo --help\' for usage.\n',
    );
    expect(process.exitCode).toBe(255);
  });
});
