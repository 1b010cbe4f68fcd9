import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/json/json';
import type { TemplateSlots } from '@/lib/kudo/manifests/slots';
import type { CelCode } from './cel-code';
import { celToTemplate } from './cel-to-template';
import type { RgdNames } from './rgd-names';
import { splitExpressions } from './split-expressions';

/** Something that has no counterpart, and where in the value it is. */
export interface PlacedProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface ConvertedTemplate {
  /** With tokens of `slots`. */
  readonly value: JsonValue;
  /** Fields of other resources that it uses, as names from the id on. */
  readonly uses: readonly (readonly string[])[];
  readonly problems: readonly PlacedProblem[];
}

/** A template of an RGD with code of templates in the place of its expressions. An expression without a counterpart stays as it is written. */
export function convertRgdTemplate(template: JsonObject, names: RgdNames, slots: TemplateSlots): ConvertedTemplate {
  const converter = new TemplateConverter(names, slots);
  return { value: converter.value(template, []), uses: converter.uses, problems: converter.problems };
}

/**
 * The text of a name as a template of text: `${schema.metadata.name}-db` is `{{ .Name }}-db`.
 * @returns undefined when it has no counterpart that a name can have
 */
export function convertName(text: string, names: RgdNames): string | undefined {
  const parts = splitExpressions(text);
  if (parts === undefined) return undefined;
  const converted = parts.map((part) => {
    if ('text' in part) return part.text;
    const code = celToTemplate(part.cel, names);
    return 'problem' in code || code.uses.length > 0 ? undefined : `{{ ${bare(code)} }}`;
  });
  return converted.includes(undefined) ? undefined : converted.join('');
}

class TemplateConverter {
  readonly uses: (readonly string[])[] = [];
  readonly problems: PlacedProblem[] = [];

  constructor(
    private readonly names: RgdNames,
    private readonly slots: TemplateSlots,
  ) {}

  value(value: JsonValue, path: readonly (string | number)[]): JsonValue {
    if (typeof value === 'string') return this.text(value, path);
    if (Array.isArray(value)) return value.map((item, index) => this.value(item, [...path, index]));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        if (key.includes('${')) this.problem([...path, key], `the key ${key} is an expression`);
        return [key, this.value(member ?? null, [...path, key])];
      }),
    );
  }

  private text(text: string, path: readonly (string | number)[]): JsonValue {
    if (!text.includes('${')) return text;
    const parts = splitExpressions(text);
    if (parts === undefined) return this.problem(path, `${text}: an expression does not end`) ?? text;
    const codes = parts.map((part) => ('text' in part ? part.text : this.code(part.cel, path)));
    if (codes.includes(undefined)) return text;
    const [only, ...more] = codes;
    if (more.length === 0 && only !== undefined && typeof only !== 'string') return this.slots.token(whole(only));
    const format = codes.map((code) => (typeof code === 'string' ? code.replaceAll('%', '%%') : '%v')).join('');
    const values = codes.flatMap((code) => (code === undefined || typeof code === 'string' ? [] : [code.code]));
    return this.slots.token(`printf ${JSON.stringify(format)} ${values.join(' ')} | quote`);
  }

  private code(cel: string, path: readonly (string | number)[]): CelCode | undefined {
    const converted = celToTemplate(cel, this.names);
    if ('problem' in converted) return this.problem(path, `\${${cel}}: ${converted.problem}`);
    this.uses.push(...converted.uses);
    return converted;
  }

  private problem(path: readonly (string | number)[], message: string): undefined {
    this.problems.push({ path, message });
    return undefined;
  }
}

/** A whole scalar: JSON is YAML, so that texts are quoted, and lists and maps are written in one line. */
function whole(code: CelCode): string {
  if (code.type === 'string') return `${bare(code)} | quote`;
  return code.type === 'int' || code.type === 'double' || code.type === 'bool' ? bare(code) : `${bare(code)} | toJson`;
}

/** Without parentheses around all of it. */
function bare({ code }: CelCode): string {
  return code.startsWith('(') && closesAtEnd(code) ? code.slice(1, -1) : code;
}

function closesAtEnd(code: string): boolean {
  let depth = 0;
  for (let at = 0; at < code.length; at++) {
    const char = code[at];
    if (char === '"') {
      for (at++; at < code.length && code[at] !== '"'; at++) if (code[at] === '\\') at++;
    } else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at === code.length - 1;
  }
  return false;
}
