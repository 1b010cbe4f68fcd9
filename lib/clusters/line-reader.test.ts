import { expect, it } from 'vitest';
import { LineReader } from './line-reader';

it('gives each line once, however the text is cut', () => {
  const text = '{"a":1}\n{"b":2}\n\n{"c":3}\n{"d"';
  for (let size = 1; size <= text.length; size++) {
    const lines: string[] = [];
    const reader = new LineReader((line) => lines.push(line));
    for (let at = 0; at < text.length; at += size) reader.read(text.slice(at, at + size));
    expect(lines).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
  }
});
