import { isJsonObject, type JsonValue, stringAt } from '@/lib/json/json';
import { type KubeObject, namespacedName } from '@/lib/kube/object';

/** Who wrote each Instance last, from its managed fields, which are not kept in memory. */
export class Editors {
  private readonly managers = new Map<string, string>();

  /** Notes the editor of a watched Instance, and gives it back without its managed fields. */
  shrink(object: KubeObject): KubeObject {
    const { managedFields, ...metadata } = object.metadata;
    const manager = lastManager(managedFields ?? []);
    if (manager !== undefined) this.managers.set(namespacedName(object), manager);
    return { ...object, metadata };
  }

  of(instance: KubeObject): string | undefined {
    const manager = this.managers.get(namespacedName(instance));
    return manager === undefined ? undefined : `field manager ${manager}`;
  }

  forget(object: KubeObject): void {
    this.managers.delete(namespacedName(object));
  }
}

/** The manager of the newest entry that changed the spec; a write of the status is not an edit. */
function lastManager(managedFields: readonly JsonValue[]): string | undefined {
  const entries = managedFields.filter(
    (entry) =>
      stringAt(entry, 'subresource') === undefined &&
      isJsonObject(entry) &&
      isJsonObject(entry.fieldsV1) &&
      Object.hasOwn(entry.fieldsV1, 'f:spec'),
  );
  const timeOf = (entry: JsonValue) => stringAt(entry, 'time') ?? '';
  const [last] = [...entries].sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
  return stringAt(last, 'manager');
}
