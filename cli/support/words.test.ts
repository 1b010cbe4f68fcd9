import { describe, expect, it } from 'vitest';
import { asFlagWords, firstVerb, startsProgram } from './words';

const SWITCHES = new Set(['--wait', '--skip-instance', '-w']);

describe('the words of a command line', () => {
  it.each<[string, string[], string[]]>([
    ['switches may have a value', ['install', 'x', '--wait=true', '--skip-instance=false'], ['install', 'x', '--wait']],
    ['short flags may have an equals sign', ['-p=a=b', '-n=lab', '-pa=b'], ['-p', 'a=b', '-n', 'lab', '-pa=b']],
    [
      'other flags stay',
      ['--instance=a', '--wait-time=5', '--wait=maybe'],
      ['--instance=a', '--wait-time=5', '--wait=maybe'],
    ],
    [
      'the check of the cluster takes no word of its own',
      ['--validate-install', 'get', '--validate-install=F', '-w=true'],
      ['--validate-install=true', 'get', '--validate-install=false', '-w'],
    ],
    ['words after -- stay', ['a', '--', '--wait=true', '-p=a'], ['a', '--', '--wait=true', '-p=a']],
  ])('%s', (_what, given, expected) => {
    expect(asFlagWords(given, SWITCHES)).toEqual(expected);
  });

  it('tell a server from a verb', () => {
    expect(startsProgram(['--kubeconfig=k', 'sandbox', '-v'])).toBe(true);
    expect(startsProgram(['get', 'instances'])).toBe(false);
    expect(startsProgram(['-n', 'console', 'get', 'instances'])).toBe(false);
    expect(firstVerb(['-v', '3', '--wait'])).toBe('');
  });
});
