import { cloneJson } from '@/lib/json/json';
import { invalid } from '@/lib/schema/field-error';
import type { JsonSchema } from '@/lib/schema/json-schema';
import { pruneBySchema } from '@/lib/schema/prune-by-schema';
import { validateBySchema } from '@/lib/schema/validate-by-schema';
import type { Faults } from '../kind-rules';
import { forEachPart } from './schema-parts';

/** Every default must be valid by its own schema and hold no field that the schema lacks. */
export function validateDefaults(schema: JsonSchema, path: string, faults: Faults): void {
  if (schema.default !== undefined) {
    const value = cloneJson(schema.default);
    if (pruneBySchema(value, schema).length > 0) {
      faults.push(invalid(`${path}.default`, schema.default, 'must not have unknown fields'));
    } else faults.push(...validateBySchema(schema.default, schema, `${path}.default`));
  }
  forEachPart(schema, path, (part, partPath) => validateDefaults(part, partPath, faults));
}
