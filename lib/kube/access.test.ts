import { describe, expect, it } from 'vitest';
import { accessTo, formatQuestion, missingRight, parseQuestion } from './access';

describe('a question about a right', () => {
  it.each([
    ['patch:kudo.dev/instances@demo', accessTo('patch', { group: 'kudo.dev', resource: 'instances' }, 'demo')],
    [
      'patch:bravo.kudo.dev/planapprovals/status@demo',
      accessTo('patch', { group: 'bravo.kudo.dev', resource: 'planapprovals/status' }, 'demo'),
    ],
    ['create:core/namespaces', accessTo('create', { group: '', resource: 'namespaces' })],
  ])('%s reads and writes the same', (text, question) => {
    expect(parseQuestion(text)).toEqual(question);
    expect(formatQuestion(question)).toBe(text);
  });

  it.each([
    '',
    'patch',
    'patch:instances',
    'PATCH:core/pods',
    'get:core/pods@',
    'get:core/../pods',
    'get:core/pods/log/a',
  ])('is not %j', (text) => {
    expect(parseQuestion(text)).toBeUndefined();
  });

  it('becomes a sentence when the answer is no', () => {
    expect(missingRight(accessTo('delete', { group: '', resource: 'pods' }, 'demo'))).toBe(
      'You may not delete pods in namespace demo. An administrator of the cluster can grant it.',
    );
  });
});
