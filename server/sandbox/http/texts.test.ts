import { describe, expect, it } from 'vitest';
import { findDuplicates } from '../exchange/duplicate-fields';
import { goJsonError } from '../exchange/go-json';
import { negotiate, objectConversions } from '../exchange/negotiation';
import { decodeContinue, encodeContinue } from './continue-token';

describe('texts of the API server', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"kind":', 'unexpected end of JSON input'],
    ['nonsense', "invalid character 'o' in literal null (expecting 'u')"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
  ])('say of %j what Go says', (text, message) => {
    expect(goJsonError(text)).toBe(message);
  });

  it('name members that come twice, by their paths', () => {
    const twice = findDuplicates('{"data":{"k":"1","k":"2"},"list":[{"a":1,"a":2}],"data":{"z":"1"}}');
    expect(twice.merged).toEqual({ data: { k: '2', z: '1' }, list: [{ a: 2 }] });
    expect(twice.duplicates).toEqual([
      'duplicate field "data.k"',
      'duplicate field "list[0].a"',
      'duplicate field "data"',
    ]);
    expect(findDuplicates('{"a":"\\"}","b":[1,{}],"c":null}').duplicates).toEqual([]);
  });

  it('carry a place in a list through a continue token', () => {
    expect(decodeContinue(encodeContinue({ revision: 7, after: 'ns/a' }))).toEqual({ revision: 7, after: 'ns/a' });
    expect(() => decodeContinue('nonsense')).toThrow(/invalid continue token/);
  });
});

describe('what a client accepts', () => {
  const asking = (accept?: string): ReturnType<typeof negotiate> => {
    return negotiate({ headers: accept === undefined ? {} : { accept } }, objectConversions);
  };

  it('prefers the higher quality and falls back along the list', () => {
    expect(asking('application/json;q=0.5, application/yaml').mediaType).toBe('application/yaml');
    expect(asking('application/vnd.kubernetes.protobuf,application/json').mediaType).toBe('application/json');
    expect(asking('application/json;as=Table;v=v1;g=meta.k8s.io,application/json').as).toBe('Table');
    expect(asking('application/json;as=Chart;v=v1;g=meta.k8s.io,application/json').as).toBeUndefined();
  });

  it('is refused when nothing fits', () => {
    expect(() => asking('application/*')).toThrow(/only the following media types/);
  });
});
