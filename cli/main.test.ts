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

  it('is followed by outlines of the verbs, which say in the help what the verbs themselves say', async () => {
    let text = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
      text += String(piece);
      return true;
    });
    await main(['--help']);
    const outlines = text;
    text = '';
    // A word that may be a verb loads all of them.
    await main(['--help', '-n', 'get']);
    expect(outlines).toContain('Show the hours of instances');
    expect(outlines).toBe(text);
  });
});
