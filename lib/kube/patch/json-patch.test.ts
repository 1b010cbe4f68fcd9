import { describe, expect, it } from 'vitest';
import { applyJsonPatch } from './json-patch';
import { PatchError } from './patch-error';

const document = { data: { k: '1', 'a/b~c': 'x', none: null }, list: [1, 2, 3] };

function failure(operations: unknown): PatchError {
  try {
    applyJsonPatch(document, operations);
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
  throw new Error('the patch was applied');
}

describe('applyJsonPatch', () => {
  it.each([
    ['adds a member', [{ op: 'add', path: '/data/new', value: 'n' }], { data: { ...document.data, new: 'n' } }],
    ['appends to a list', [{ op: 'add', path: '/list/-', value: 4 }], { list: [1, 2, 3, 4] }],
    ['inserts into a list', [{ op: 'add', path: '/list/1', value: 9 }], { list: [1, 9, 2, 3] }],
    ['counts negative indexes from the end', [{ op: 'remove', path: '/list/-1' }], { list: [1, 2] }],
    [
      'unescapes ~1 and ~0',
      [{ op: 'replace', path: '/data/a~1b~0c', value: 'y' }],
      {
        data: { ...document.data, 'a/b~c': 'y' },
      },
    ],
    ['replaces a null', [{ op: 'replace', path: '/data/none', value: 1 }], { data: { ...document.data, none: 1 } }],
    ['moves', [{ op: 'move', from: '/data/k', path: '/k' }], { k: '1', data: { 'a/b~c': 'x', none: null } }],
    ['copies', [{ op: 'copy', from: '/list', path: '/twin' }], { twin: [1, 2, 3] }],
    ['tests a missing member against null', [{ op: 'test', path: '/data/absent', value: null }], {}],
    ['does nothing for no operations', [], {}],
  ])('%s', (_name, operations, changed) => {
    expect(applyJsonPatch(document, operations)).toEqual({ ...document, ...changed });
  });

  it('does not change the document', () => {
    const before = structuredClone(document);
    applyJsonPatch(document, [{ op: 'add', path: '/list/-', value: { deep: true } }]);
    expect(document).toEqual(before);
  });

  it.each([
    [{ op: 'jump', path: '/data/k' }],
    [{ path: '/data/k', value: 'x' }],
    [{ op: 'remove', path: '/data/absent' }],
    [{ op: 'replace', path: '/data/absent', value: 1 }],
    [{ op: 'add', path: '/absent/k', value: 1 }],
    [{ op: 'add', path: '/list/9', value: 1 }],
    [{ op: 'test', path: '/data/k', value: '2' }],
    [{ op: 'add', path: 'data', value: 1 }],
    [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
  ])('refuses %j with the one message of the API', (operation) => {
    expect(failure([operation])).toMatchObject({
      code: 422,
      message: 'the server rejected our request due to an error in our request',
    });
  });

  it('refuses what is not a list of operations', () => {
    expect(failure({ op: 'add' })).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(failure([1])).toMatchObject({ code: 400 });
  });

  it('refuses more than 10000 operations', () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data/k', value: '1' }));
    expect(failure(operations)).toMatchObject({
      code: 413,
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });
});
