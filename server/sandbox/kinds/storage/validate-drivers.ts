import { type JsonObject, jsonEqual } from '@/lib/json/json';
import { qualifiedNameProblems, subdomainProblems } from '@/lib/kube/label-syntax';
import { duplicate, forbidden, invalid, notSupported, required } from '@/lib/schema/field-error';
import { asInternal, numberOf, objectOf, objectsOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkDriverName } from '../pods/validate-volume-details';
import { checkOneOf } from '../validation/numbers';

const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLES = ['Ephemeral', 'Persistent'];
const MAX_NODE_ID = 192;

/** A CSIDriver (Kubernetes pkg/apis/storage/validation). */
export function validateDriver(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  checkOneOf(spec.fsGroupPolicy, 'spec.fsGroupPolicy', GROUP_POLICIES, faults);
  for (const mode of textsOf(spec, 'volumeLifecycleModes')) {
    if (!LIFECYCLES.includes(mode)) faults.push(notSupported('spec.volumeLifecycleModes', mode, LIFECYCLES));
  }
}

/** The drivers of a node. */
export function validateDriverNode(object: JsonObject, faults: Faults): void {
  const names = new Set<string>();
  for (const [index, driver] of objectsOf(objectOf(object, 'spec'), 'drivers').entries()) {
    const path = `spec.drivers[${index}]`;
    const name = textOf(driver, 'name');
    const node = textOf(driver, 'nodeID');
    checkDriverName(name, `${path}.name`, faults);
    if (node === '') faults.push(required(`${path}.nodeID`));
    if (node.length > MAX_NODE_ID) {
      faults.push(invalid(`${path}.nodeID`, node, `must be ${MAX_NODE_ID} characters or less`));
    }
    const count = numberOf(objectOf(driver, 'allocatable'), 'count') ?? 0;
    if (count < 0) faults.push(invalid(`${path}.allocatable.count`, count, 'must be greater than or equal to 0'));
    if (names.has(name)) faults.push(duplicate(`${path}.name`, name));
    names.add(name);
    checkTopologyKeys(textsOf(driver, 'topologyKeys'), path, faults);
  }
}

function checkTopologyKeys(keys: readonly string[], path: string, faults: Faults): void {
  for (const [index, key] of keys.entries()) {
    if (key === '') faults.push(required(path));
    if (keys.indexOf(key) < index) faults.push(duplicate(path, key));
    for (const problem of qualifiedNameProblems(key)) faults.push(invalid(path, keys, problem));
  }
}

/** What a driver said about a node stays, until the driver is taken off. */
export function validateDriverNodeUpdate(object: JsonObject, old: JsonObject, faults: Faults): void {
  const driversOf = (each: JsonObject) => objectsOf(objectOf(each, 'spec'), 'drivers');
  for (const before of driversOf(old)) {
    const now = driversOf(object).find((each) => each.name === before.name);
    if (now === undefined || jsonEqual(now, before)) continue;
    faults.push(invalid('CSINodeDriver', asInternal(now), 'field is immutable'));
  }
}

/** A VolumeAttachment. */
export function validateAttachment(object: JsonObject, faults: Faults): void {
  const spec = objectOf(object, 'spec') ?? {};
  const attacher = textOf(spec, 'attacher');
  if (attacher === '') faults.push(required('spec.attacher'));
  checkDriverName(attacher, 'spec.attacher', faults);
  const source = objectOf(spec, 'source') ?? {};
  const volume = source.persistentVolumeName;
  const inline = objectOf(source, 'inlineVolumeSpec');
  const text = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (volume === undefined && inline === undefined) faults.push(required('spec.source', text));
  if (volume !== undefined && inline !== undefined) faults.push(forbidden('spec.source', text));
  if (typeof volume === 'string') checkVolumeName(volume, inline === undefined, faults);
  const node = textOf(spec, 'nodeName');
  for (const problem of subdomainProblems(node)) faults.push(invalid('spec.nodeName', node, problem));
}

function checkVolumeName(volume: string, isOnly: boolean, faults: Faults): void {
  const field = 'spec.source.persistentVolumeName';
  if (volume === '' && isOnly) faults.push(required(field, 'must specify non empty persistentVolumeName'));
  for (const problem of subdomainProblems(volume)) faults.push(invalid(field, volume, problem));
}
