import { describe, expect, it } from 'vitest';
import { kubeconfigContexts } from './kubeconfig-contexts';

const config = (rest: string) => `apiVersion: v1\nkind: Config\n${rest}`;

describe('the contexts of a kubeconfig', () => {
  it('are offered in their order, with the current one', () => {
    const text = config('current-context: b\ncontexts:\n- name: a\n  context: {}\n- name: b\n  context: {}\n');
    expect(kubeconfigContexts(text)).toEqual({ contexts: ['a', 'b'], current: 'b', problem: undefined });
  });

  it('begin with the first one when no context of the file is current', () => {
    expect(kubeconfigContexts(config('current-context: x\ncontexts:\n- name: a\n')).current).toBe('a');
  });

  it.each([
    ['kind: Pod', 'This is not a kubeconfig: its kind is not Config.'],
    ['', 'This is not a kubeconfig: its kind is not Config.'],
    [config(''), 'The kubeconfig has no contexts. Add one with kubectl config.'],
  ])('are missing in %j, and the sentence says why', (text, problem) => {
    expect(kubeconfigContexts(text)).toEqual({ contexts: [], current: undefined, problem });
  });

  it('are missing in a text that is not YAML, and the sentence names the line', () => {
    expect(kubeconfigContexts('kind: Config\ncontexts: [').problem).toMatch(/^Line \d+: /);
  });
});
