import { invalid } from '@/lib/schema/field-error';
import type { Faults } from '../base/kind-rules';

/** A path that does not lead out of where it is (Kubernetes pkg/apis/core/validation validatePathNoBacksteps). */
export function checkBackSteps(path: string, field: string, faults: Faults): void {
  if (path.split('/').includes('..')) faults.push(invalid(field, path, "must not contain '..'"));
}
