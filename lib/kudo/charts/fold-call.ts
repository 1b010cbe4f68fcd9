import { keyStream, STREAM_KEY_BYTES } from '@/lib/random/key-stream';
import { parseTemplate, renderTemplate, TemplateError } from '@/lib/template/template';
import { literalOf, type Meaning } from './meaning';
import { operandOf } from './writer';

/** Functions whose result depends on their arguments alone, and is worth knowing before a package is rendered. */
const PURE = new Set(
  'semverCompare eq ne lt le gt ge and or not contains hasPrefix hasSuffix empty ternary trunc trimSuffix trimPrefix replace lower upper printf print quote toString has int int64 trim regexReplaceAll regexMatch kebabcase substr b64enc sha256sum nindent indent'.split(
    ' ',
  ),
);

const ENVIRONMENT = { clock: { now: () => 0 }, random: keyStream(new Uint8Array(STREAM_KEY_BYTES), 'fold') };

/** The result of a pure function whose arguments are all constants; undefined when it is not one, or has no result. */
export function foldCall(name: string, all: readonly Meaning[]): Meaning | undefined {
  if (!PURE.has(name) || all.length === 0) return undefined;
  const literals: string[] = [];
  for (const each of all) {
    if (each.kind !== 'constant') return undefined;
    literals.push(operandOf(each.literal ?? literalOf(each.value)));
  }
  try {
    const template = parseTemplate('fold', `{{ ${name} ${literals.join(' ')} | toJson }}`);
    const value: unknown = JSON.parse(renderTemplate(template, {}, { environment: ENVIRONMENT }));
    const isScalar = typeof value === 'string' || typeof value === 'boolean';
    return isScalar ? { kind: 'constant', value } : undefined;
  } catch (error) {
    if (error instanceof TemplateError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
