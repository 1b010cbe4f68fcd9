import { describe, expect, it } from 'vitest';
import { parseJsonAsGo } from '../exchange/go-json';
import { negotiate, objectConversions } from '../exchange/negotiation';
import { decodeContinue, encodeContinue } from './continue-token';

describe('a text that is not JSON', () => {
  it.each([
    ['', 'unexpected end of JSON input'],
    ['{"kind":', 'unexpected end of JSON input'],
    ['nonsense', "invalid character 'o' in literal null (expecting 'u')"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
  ])('%j is refused in the words of Go', (text, message) => {
    expect(() => parseJsonAsGo(text, (why) => new Error(why))).toThrow(message);
  });
});

describe('a continue token', () => {
  it('carries a place in a list', () => {
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
