import { type Document, isScalar, type Scalar, type ScalarTag, visit } from 'yaml';

const FLOAT = 'tag:yaml.org,2002:float';
/** A float has a digit before any exponent; a number with neither point nor exponent is an integer. */
const FLOAT_TEXT =
  /^[-+]?(?:(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9_]+)?|[0-9][0-9_]*[eE][-+]?[0-9_]+)$/;
const NOTHING = /(?!)/;

/** The tags of YAML 1.1 as go-yaml has them: `e2` and `.` are strings, which the `yaml` package reads as numbers. */
export function asGoReads(tag: ScalarTag): ScalarTag {
  const isPlainFloat = tag.tag === FLOAT && tag.test?.test('.inf') === false;
  return isPlainFloat ? { ...tag, test: NOTHING } : tag;
}

/**
 * What go-yaml reads otherwise than the rules of YAML 1.1 say: `0o17` is 15, a float that is too large is a text, and
 * `!!binary` is decoded.
 */
export const goTags: readonly ScalarTag[] = [
  {
    identify: () => false,
    default: true,
    tag: FLOAT,
    test: FLOAT_TEXT,
    resolve: (text) => {
      const value = Number(text.replaceAll('_', ''));
      return Number.isFinite(value) ? value : text;
    },
  },
  {
    identify: () => false,
    default: true,
    tag: 'tag:yaml.org,2002:int',
    format: 'OCT',
    test: /^[-+]?0o[0-7_]+$/,
    resolve: (text) => {
      const value = Number.parseInt(text.replace(/^[-+]?0o/, '').replaceAll('_', ''), 8);
      return text.startsWith('-') ? -value : value;
    },
  },
  {
    identify: () => false,
    default: false,
    tag: 'tag:yaml.org,2002:binary',
    resolve: (text, onError) => {
      try {
        const bytes = Uint8Array.from(atob(text.replace(/\s/g, '')), (character) => character.charCodeAt(0));
        return new TextDecoder().decode(bytes);
      } catch {
        onError('!!binary value contains invalid base64 data');
        return text;
      }
    },
  },
];

/** Why a document cannot become JSON: Go's sigs.k8s.io/yaml refuses keys that are null or collections, and NaN. */
export function notJson(document: Document | Document.Parsed): string | undefined {
  let problem: string | undefined;
  visit(document, {
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value === null) problem = 'A key is null.';
      else if (pair.key !== null && !isScalar(pair.key) && isCollection(pair.key))
        problem = 'A key is a list or a map.';
      return problem === undefined ? undefined : visit.BREAK;
    },
    Scalar: (_, node: Scalar) => {
      if (typeof node.value !== 'number' || Number.isFinite(node.value)) return undefined;
      problem = `JSON has no value for ${node.source ?? node.value}.`;
      return visit.BREAK;
    },
  });
  return problem;
}

function isCollection(key: unknown): boolean {
  return typeof key === 'object' && key !== null && 'items' in key;
}
