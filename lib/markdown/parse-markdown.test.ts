import { describe, expect, it } from 'vitest';
import { parseMarkdown, parseSpans } from './parse-markdown';

describe('Markdown', () => {
  it('has headings, paragraphs, code, lists, tables and quotes', () => {
    const text = `# Pond #
One
line.

\`\`\`yaml
# no heading
a: 1
\`\`\`
- first
  goes on
- second
1. other

> quoted
> on

| A | B |
|---|:-:|
| a\\|b | \`c\` |

---
<b>html</b>`;
    const plain = (value: string) => [{ is: 'text', text: value }];
    expect(parseMarkdown(text)).toEqual([
      { is: 'heading', level: 1, text: plain('Pond') },
      { is: 'paragraph', text: plain('One line.') },
      { is: 'code', text: '# no heading\na: 1' },
      { is: 'list', isOrdered: false, items: [plain('first goes on'), plain('second'), plain('other')] },
      { is: 'quote', text: plain('quoted on') },
      { is: 'table', head: [plain('A'), plain('B')], rows: [[plain('a|b'), [{ is: 'code', text: 'c' }]]] },
      { is: 'paragraph', text: plain('<b>html</b>') },
    ]);
  });

  it('has code, bold, emphasis, links to the web and references to other files', () => {
    expect(parseSpans('a **b** `c*` *d* [e](https://f) [g](other.md) ![h](https://i) [j](javascript:x)')).toEqual([
      { is: 'text', text: 'a ' },
      { is: 'bold', text: 'b' },
      { is: 'text', text: ' ' },
      { is: 'code', text: 'c*' },
      { is: 'text', text: ' ' },
      { is: 'emphasis', text: 'd' },
      { is: 'text', text: ' ' },
      { is: 'link', text: 'e', href: 'https://f' },
      { is: 'text', text: ' ' },
      { is: 'reference', text: 'g', href: 'other.md' },
      { is: 'text', text: ' ' },
      { is: 'text', text: 'h' },
      { is: 'text', text: ' ' },
      { is: 'text', text: 'j' },
    ]);
  });

  it('takes little time for long lines', () => {
    for (const text of [
      '*'.repeat(20_000),
      '['.repeat(20_000),
      '`'.repeat(20_000),
      '| '.repeat(20_000),
      '- '.repeat(20_000),
    ]) {
      parseMarkdown(`${text}\n${text}`);
    }
  });
});
