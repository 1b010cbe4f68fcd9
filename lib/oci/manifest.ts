import { TerminalError } from '@/lib/errors/errors';
import { arrayAt, isJsonObject, type JsonObject, parseJsonObject, stringAt } from '@/lib/json/json';
import { limits } from '@/lib/limits/limits';
import { isSha256Digest } from './reference';

/** Media types (OCI image specification 1.1). */
export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
export const INDEX_TYPE = 'application/vnd.oci.image.index.v1+json';
/** The configuration of artifacts without one: the blob `{}`. */
export const EMPTY_TYPE = 'application/vnd.oci.empty.v1+json';

export type Annotations = { readonly [name: string]: string };

/** What a manifest says of a blob or of another manifest. */
export interface Descriptor {
  readonly mediaType: string;
  /** `sha256:` and 64 hex digits. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
  readonly artifactType?: string;
  readonly annotations?: Annotations;
}

/** An image manifest, as artifacts have them. */
export interface Manifest {
  readonly artifactType: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly subject?: Descriptor;
  readonly annotations: Annotations;
}

/**
 * Reads a manifest. Fields that nobody here needs are ignored.
 *
 * @param text what the registry sent; its size was limited when it was read
 * @param place names it in messages
 * @throws TerminalError `ManifestInvalid` when it is not JSON or a field has another shape
 */
export function parseManifest(text: string, place: string): Manifest {
  const file = parseFile(text, place);
  const mediaType = stringAt(file, 'mediaType') ?? MANIFEST_TYPE;
  if (mediaType !== MANIFEST_TYPE) throw invalid(place, `its media type is ${shown(mediaType)}, not ${MANIFEST_TYPE}`);
  const config = descriptorOf(file.config, `${place}: config`);
  const { subject } = file;
  return {
    artifactType: stringAt(file, 'artifactType') ?? config.mediaType,
    config,
    layers: descriptorsOf(file, 'layers', place),
    annotations: annotationsOf(file.annotations, place) ?? {},
    ...(subject === undefined ? {} : { subject: descriptorOf(subject, `${place}: subject`) }),
  };
}

/**
 * Reads an image index: the answer of the referrers API, and what is behind the tag that replaces it.
 *
 * @throws TerminalError `ManifestInvalid`
 */
export function parseImageIndex(text: string, place: string): readonly Descriptor[] {
  return descriptorsOf(parseFile(text, place), 'manifests', place);
}

/** The text of a manifest: the same for the same content. */
export function formatManifest(manifest: Manifest): string {
  const { artifactType, config, layers, subject, annotations } = manifest;
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    ...(artifactType === config.mediaType ? {} : { artifactType }),
    config,
    layers,
    ...(subject === undefined ? {} : { subject }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  });
}

/** The text of an image index. */
export function formatImageIndex(manifests: readonly Descriptor[]): string {
  return JSON.stringify({ schemaVersion: 2, mediaType: INDEX_TYPE, manifests });
}

function parseFile(text: string, place: string): JsonObject {
  const file = parseJsonObject(text);
  if (file === undefined) throw invalid(place, 'it is not a JSON object');
  if (file.schemaVersion !== 2) throw invalid(place, 'its schemaVersion is not 2');
  return file;
}

function descriptorsOf(file: JsonObject, field: string, place: string): Descriptor[] {
  if (!Array.isArray(file[field])) throw invalid(place, `${field} is not a list`);
  const list = arrayAt(file, field);
  if (list.length > limits.oci.descriptors) {
    throw invalid(place, `${field} has more than ${limits.oci.descriptors} entries`);
  }
  return list.map((each, index) => descriptorOf(each, `${place}: ${field}[${index}]`));
}

function descriptorOf(value: unknown, place: string): Descriptor {
  if (!isJsonObject(value)) throw invalid(place, 'it is not a descriptor');
  const mediaType = stringAt(value, 'mediaType');
  const digest = stringAt(value, 'digest') ?? '';
  const artifactType = stringAt(value, 'artifactType');
  const { size } = value;
  if (mediaType === undefined) throw invalid(place, 'mediaType is not a text');
  if (!isSha256Digest(digest)) throw invalid(place, 'digest is not sha256: and 64 lower-case hex digits');
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw invalid(place, 'size is not a number of bytes');
  }
  const annotations = annotationsOf(value.annotations, place);
  return {
    mediaType,
    digest,
    size,
    ...(artifactType === undefined ? {} : { artifactType }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function annotationsOf(value: unknown, place: string): Annotations | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw invalid(place, 'annotations is not a map');
  const entries = Object.entries(value).map(([name, text]) => {
    if (typeof text !== 'string') throw invalid(place, `the annotation ${shown(name)} is not a text`);
    return [name, text] as const;
  });
  return Object.fromEntries(entries);
}

const shown = (text: string): string => text.slice(0, 100);

function invalid(place: string, why: string): TerminalError {
  return new TerminalError(`The manifest ${place} cannot be read: ${why}.`, 'ManifestInvalid');
}
