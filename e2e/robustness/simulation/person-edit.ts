import type { JsonObject } from '@/lib/json/json';

/** A merge patch of an Instance by a user. */
export interface PersonEdit {
  readonly spec?: JsonObject;
  /** Null takes one off. */
  readonly annotations?: { readonly [name: string]: string | null };
}

/** The patch as it is sent. */
export function patchOf({ spec, annotations }: PersonEdit): JsonObject {
  return {
    ...(spec === undefined ? {} : { spec }),
    ...(annotations === undefined ? {} : { metadata: { annotations: { ...annotations } } }),
  };
}
