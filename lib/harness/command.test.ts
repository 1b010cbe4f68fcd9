import { describe, expect, it } from 'vitest';
import { programOf } from './command';
import { maskCommandLine } from './mask-secrets';

/** The words of a command with `namespaced`, or why there are none. */
function words(command: string, more: { namespaced?: boolean; script?: string } = {}) {
  const environment = { NAMESPACE: 'ns', VAR: 'value', EMPTY: '' };
  const call = programOf(
    { command, script: more.script ?? '', namespaced: more.namespaced ?? false },
    'ns',
    environment,
  );
  return typeof call === 'string' ? call : [call.program, ...call.args];
}

describe('the words of a command', () => {
  it('HAR-050: a namespace that is given stays, in any spelling and position', () => {
    for (const command of [
      'kubectl kudo test --namespace=foo',
      'kubectl kudo test --namespace foo',
      'kubectl -n foo kudo test',
      'kubectl kudo test -nfoo',
      'kubectl kudo -n=foo test',
    ]) {
      expect(words(command, { namespaced: true }), command).toEqual(command.split(' '));
    }
  });

  it('HAR-051: the namespace is appended, also after a flag without a value', () => {
    expect(words('kubectl get pods', { namespaced: true })).toEqual(['kubectl', 'get', 'pods', '--namespace', 'ns']);
    expect(words('kubectl get -n', { namespaced: true })).toHaveLength(5);
  });

  it('HAR-052: unknown flags do no harm', () => {
    expect(words('kubectl kudo test --config kudo-test.yaml -x', { namespaced: true })).toEqual(
      'kubectl kudo test --config kudo-test.yaml -x --namespace ns'.split(' '),
    );
  });

  it('HAR-053: quotes and backslashes are respected', () => {
    expect(words(`kubectl kudo test "quoted \\" word" 'single $VAR' a\\ b ""`)).toEqual([
      'kubectl',
      'kudo',
      'test',
      'quoted " word',
      'single value',
      'a b',
      '',
    ]);
    expect(words('echo "open')).toBe('processing command "echo "open" with EOF found when expecting closing quote');
  });

  it('HAR-054: variables are expanded, $$ is a dollar, an unknown one is empty', () => {
    expect(words('echo $NAMESPACE ${VAR}s $$VAR x${UNKNOWN}y $NAMESPACE-$VAR')).toEqual([
      'echo',
      'ns',
      'values',
      '$VAR',
      'xy',
      'ns-value',
    ]);
  });

  it('HAR-055: exactly one of command and script, and a script is not namespaced', () => {
    expect(words('a', { script: 'b' })).toBe('command and script can not be set in the same configuration');
    expect(words('')).toBe('command or script must be set');
    expect(words('', { script: 'b', namespaced: true })).toBe(
      "script can not used 'namespaced', use the $NAMESPACE environment variable instead",
    );
    expect(words('', { script: 'echo $NAMESPACE' })).toEqual(['sh', '-c', 'echo $NAMESPACE']);
  });

  it('names a script by its first commands, and a command as it is written', () => {
    const shown = (command: string, script: string) => {
      const call = programOf({ command, script, namespaced: command !== '' }, 'ns', { T: 'secret' });
      return typeof call === 'string' ? call : call.shown;
    };
    expect(shown('', `set -e\n# a comment\n${'echo long '.repeat(12)}`)).toBe(
      `${'echo long '.repeat(12).slice(0, 67)}...`,
    );
    expect(shown('curl -H $T', '')).toBe('curl -H $T --namespace ns');
  });

  it('marks values with the name of a secret', () => {
    expect(maskCommandLine('kubectl kudo update -p PASSWORD=hunter2 -p REPLICAS=3 --token abc')).toBe(
      'kubectl kudo update -p PASSWORD=‹secret› -p REPLICAS=3 --token ‹secret›',
    );
  });
});
