import { describe, expect, it } from 'vitest';
import { unreadableText } from './unreadable';

describe('unreadableText', () => {
  it('names the right that is missing, the kinds that people ask for first', () => {
    expect(unreadableText(['secrets'], 'demo')).toBe('You may not list secrets in namespace demo.');
    expect(unreadableText(['bindings', 'configmaps', 'pods', 'secrets', 'statefulsets.apps'], 'demo')).toBe(
      'You may not list pods, statefulsets.apps, configmaps and 2 more kinds in namespace demo.',
    );
    expect(unreadableText(['configmaps', 'pods', 'secrets', 'services'], 'demo')).toBe(
      'You may not list pods, services, configmaps and secrets in namespace demo.',
    );
  });

  it('says nothing when everything can be read', () => {
    expect(unreadableText([], 'demo')).toBe('');
  });
});
