import type { JsonValue } from '@/lib/json/json';
import { writeYaml } from '@/lib/yaml/yaml';

/**
 * Places of an object that become template code. The object holds a token, a word that occurs nowhere in the input; the
 * template gets the code in its place. Tokens are plain YAML scalars, so that the writer of YAML neither quotes nor breaks them.
 */
export class TemplateSlots {
  private readonly codes: string[] = [];
  private readonly word: string;

  /** @param inputs every text that will be converted */
  constructor(inputs: Iterable<string>) {
    const all = [...inputs];
    let word = 'bravoslot';
    while (all.some((text) => text.includes(word))) word += 'x';
    this.word = word;
  }

  /** A token for code that gives a whole scalar, or a part of a text. The code is what stands between the braces. */
  token(code: string): string {
    this.codes.push(code);
    return `${this.word}${this.codes.length - 1}z`;
  }

  /** True for a text that has a token. */
  has(text: string): boolean {
    return text.includes(this.word);
  }

  /** The object as the text of a template. Braces of the object's own texts are escaped. */
  write(value: JsonValue): string {
    return this.fill(writeYaml(value).replaceAll('{{', '{{ "{{" }}'));
  }

  /** Puts the code in the place of each token. */
  fill(text: string): string {
    const parts = text.split(this.word);
    return parts
      .map((part, index) => {
        if (index === 0) return part;
        const end = part.indexOf('z');
        return `{{ ${this.codes[Number(part.slice(0, end))] ?? ''} }}${part.slice(end + 1)}`;
      })
      .join('');
  }
}
