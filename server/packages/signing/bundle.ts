import { TerminalError } from '@/lib/errors/errors';
import { arrayAt, parseJsonObject, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import type { SignatureEvidence } from './check-signatures';

/** The files beside a `.tgz`: the signature of its bytes in base64 (`cosign sign-blob`), and what it had in a registry. */
export const SIGNATURE_SUFFIX = '.sig';
export const BUNDLE_SUFFIX = '.oci.json';

const FORMAT = 'bravo.kudo.dev/oci-package/v1';

/**
 * What a package had in a registry, so that a copy in a folder can be put back into a registry with the digest that was signed:
 *
 * ```
 * {"format": "bravo.kudo.dev/oci-package/v1", "manifest": TEXT, "config": TEXT, "signatures": [{"payload": TEXT, "signature": BASE64}]}
 * ```
 */
export interface PackageBundle extends NonNullable<SignatureEvidence['manifest']> {
  /** The text of the manifest, byte for byte. */
  readonly text: string;
  /** The configuration blob. */
  readonly config: string;
}

/** The text of the file. */
export function formatBundle({ text, config, signatures }: PackageBundle): string {
  return `${JSON.stringify({ format: FORMAT, manifest: text, config, signatures }, null, 1)}\n`;
}

/** @throws TerminalError `PackageInvalid` when the text is not such a file */
export function parseBundle(text: string, place: string): PackageBundle {
  const file = parseJsonObject(text);
  const [manifest, config] = [stringAt(file, 'manifest'), stringAt(file, 'config')];
  if (stringAt(file, 'format') !== FORMAT || manifest === undefined || config === undefined) {
    throw new TerminalError(`${place} cannot be read: it is not JSON of the format ${FORMAT}.`, 'PackageInvalid');
  }
  const signatures = arrayAt(file, 'signatures')
    .slice(0, limits.attachments.signatures)
    .map((each) => ({ payload: stringAt(each, 'payload') ?? '', signature: stringAt(each, 'signature') ?? '' }));
  return { text: manifest, config, signatures };
}
