import { jsonEqual } from '@/lib/json/json';
import type { KindStrategy } from '../kinds/base/strategy';

/** A strategy that knows nothing of its kind: takes objects as they are and guards `status`. */
export const plainStrategy: KindStrategy = {
  decode: (object) => ({ object, unknownFields: [] }),
  applyDefaults: () => {},
  prepareForCreate: () => {},
  prepareForUpdate(object, old, { subresource }) {
    if (subresource === 'status') object.spec = old.spec;
  },
  validateCreate: () => [],
  validateUpdate: () => [],
  bumpsGeneration: (object, old) => !jsonEqual(object.spec, old.spec),
};
