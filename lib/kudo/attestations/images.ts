import { defaultText } from '../package/default-text';
import type { OperatorPackage } from '../package/types';

/** A container image that a package uses. */
export interface PackageImage {
  /** `registry/path`, as the package writes it; a template where it depends on more than defaults. */
  readonly name: string;
  /** Empty when the package gives none. */
  readonly tag: string;
  /** `sha256:…`; empty when the package gives none. */
  readonly digest: string;
}

const IMAGE_LINE = /(?:^|[\s{,-])image:[ \t]*(\S[^\n]*)/g;
const EXPRESSION = /\{\{-?\s*\.(?:Params\.([A-Za-z0-9_]+)|(AppVersion|OperatorVersion))\s*-?\}\}/g;

/**
 * The images of a package's templates, with the defaults of its parameters, by name. What a template computes in another way stays as
 * it is written there.
 */
export function packageImages(pkg: OperatorPackage): readonly PackageImage[] {
  const images = new Map<string, PackageImage>();
  for (const text of pkg.templates.values()) {
    for (const [, written = ''] of text.matchAll(IMAGE_LINE)) {
      const image = imageOf(withDefaults(writtenImage(written), pkg));
      if (image.name !== '') images.set(`${image.name} ${image.tag} ${image.digest}`, image);
    }
  }
  return [...images].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, image]) => image);
}

/** The value of a line: without quotes, comment, and what follows it in a map of one line. */
function writtenImage(written: string): string {
  const quoted = /^"([^"]*)"|^'([^']*)'/.exec(written);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  const plain = /^((?:\{\{[^}]*\}\}|[^\s,}#])+)/.exec(written);
  return plain?.[1] ?? '';
}

function withDefaults(text: string, { operator, parameters }: OperatorPackage): string {
  const versions = new Map([
    ['AppVersion', operator.appVersion ?? ''],
    ['OperatorVersion', operator.operatorVersion],
  ]);
  return text.replace(EXPRESSION, (expression, name: string | undefined, version: string | undefined) => {
    if (version !== undefined) return versions.get(version) || expression;
    const parameter = parameters.find((each) => each.name === name);
    return parameter?.default === undefined ? expression : defaultText(parameter.default, parameter.type) || expression;
  });
}

/** Without a template, the last colon after the last slash begins the tag. */
function imageOf(text: string): PackageImage {
  if (text.includes('{{')) return { name: text, tag: '', digest: '' };
  const [, path = '', digest = ''] = /^(.*?)(?:@(sha256:[0-9a-f]{64}))?$/.exec(text) ?? [];
  const colon = path.lastIndexOf(':');
  const hasTag = colon > path.lastIndexOf('/');
  return { name: hasTag ? path.slice(0, colon) : path, tag: hasTag ? path.slice(colon + 1) : '', digest };
}
