import { describe, expect, it } from 'vitest';
import { parseRequestJson, readRequestBody } from './body';

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://localhost:3000/', { method: 'POST', body, headers });

const bytes = (text: string) => new TextEncoder().encode(text);

describe('readBody', () => {
  it('gives the bytes as they came', async () => {
    expect(Buffer.from(await readRequestBody(post('{"a":1}'), 10)).toString()).toBe('{"a":1}');
  });

  it('stops at the first byte too many of a body without a length', async () => {
    let pulled = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const request = new Request('http://localhost:3000/', {
      method: 'POST',
      body: stream,
      duplex: 'half',
    } as RequestInit);
    await expect(readRequestBody(request, 5000)).rejects.toMatchObject({ status: 413 });
    expect(pulled).toBeLessThan(10);
  });

  it('refuses a compressed body', async () => {
    await expect(readRequestBody(post('x', { 'content-encoding': 'gzip' }), 10)).rejects.toMatchObject({ status: 415 });
  });
});

describe('parseJson', () => {
  it('reads JSON and takes nothing for undefined', () => {
    expect(parseRequestJson(bytes('{"a":[1,null]}'))).toEqual({ a: [1, null] });
    expect(parseRequestJson(new Uint8Array())).toBeUndefined();
  });

  it.each(['{', 'a', '{"a":1}x', '\u0000'])('refuses %j', (text) => {
    expect(() => parseRequestJson(bytes(text))).toThrow(/not valid JSON/);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseRequestJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(/not valid JSON/);
  });

  it('refuses a hundred thousand levels without running out of stack', () => {
    expect(() => parseRequestJson(bytes(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toThrow(/deeper/);
  });

  it('keeps a key named __proto__ an own key', () => {
    const value = parseRequestJson(bytes('{"__proto__":{"polluted":true}}'));
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
  });
});
