import { TerminalError } from '@/lib/errors/errors';
import { parseJsonObject, stringAt } from '@/lib/json/json';
import type { Descriptor, Manifest } from '@/lib/oci/manifest';

/** The payload of cosign's signatures of a manifest (containers/image "simple signing"; cosign specs/SIGNATURE_SPEC). */
export const PAYLOAD_TYPE = 'application/vnd.dev.cosign.simplesigning.v1+json';
/** On the layer of a payload: the signature of the payload in base64. */
export const SIGNATURE_ANNOTATION = 'dev.cosignproject.cosign/signature';
/** The configuration of the image that holds payloads. */
export const IMAGE_CONFIG_TYPE = 'application/vnd.oci.image.config.v1+json';

/** The tag of the signatures of a manifest: `sha256-HEX.sig`. */
export function signatureTag(digest: string): string {
  return `${digest.replace(':', '-')}.sig`;
}

/** The text that is signed for a manifest. `reference` is `registry/path`. */
export function signingPayload(reference: string, digest: string): string {
  const identity = { 'docker-reference': reference };
  const image = { 'docker-manifest-digest': digest };
  return JSON.stringify({ critical: { identity, image, type: 'cosign container image signature' }, optional: null });
}

/** The digest of the manifest that a payload is for; undefined when it is not such a payload. */
export function signedDigest(payload: string): string | undefined {
  const file = parseJsonObject(payload);
  const type = stringAt(file, 'critical', 'type');
  return type === 'cosign container image signature'
    ? stringAt(file, 'critical', 'image', 'docker-manifest-digest')
    : undefined;
}

/** The layer of a payload. */
export function payloadLayer(
  payload: { readonly digest: string; readonly size: number },
  signature: string,
): Descriptor {
  return { mediaType: PAYLOAD_TYPE, ...payload, annotations: { [SIGNATURE_ANNOTATION]: signature } };
}

/** The configuration of an image with these payloads, as cosign writes it. */
export function signatureConfig(payloadDigests: readonly string[]): string {
  return JSON.stringify({
    architecture: '',
    created: '0001-01-01T00:00:00Z',
    history: payloadDigests.map(() => ({ created: '0001-01-01T00:00:00Z' })),
    os: '',
    rootfs: { type: 'layers', diff_ids: payloadDigests },
    config: {},
  });
}

/** The layers of payloads with their signatures in base64. */
export function payloadLayers({ layers }: Manifest): { readonly layer: Descriptor; readonly signature: string }[] {
  return layers.flatMap((layer) => {
    const signature = layer.annotations?.[SIGNATURE_ANNOTATION];
    return layer.mediaType === PAYLOAD_TYPE && signature !== undefined ? [{ layer, signature }] : [];
  });
}

/** Refuses a package that a policy refuses. */
export function signatureRefused(place: string, why: string): TerminalError {
  return new TerminalError(`The package ${place} is refused: ${why}`, 'SignatureRefused');
}
