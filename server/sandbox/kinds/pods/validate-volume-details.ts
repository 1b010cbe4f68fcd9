import type { JsonObject } from '@/lib/json/json';
import { subdomainProblems } from '@/lib/kube/label-syntax';
import { invalid, required, tooLong } from '@/lib/schema/field-error';
import { numberOf, objectOf, textOf, textsOf } from '../access';
import type { Faults } from '../kind-rules';
import { checkOneOf } from '../validation/numbers';

type Check = (source: JsonObject, path: string, faults: Faults) => void;

const HOST_PATHS = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const MAX_DRIVER = 63;
const MAX_LUN = 255;
const IQN = /^iqn\.\d{4}-\d{2}\.([a-zA-Z\d-.]+)(:[^,;*&$|\s]+)$/;
const EUI = /^eui\.[a-zA-Z\d]{16}$/;
const NAA = /^naa\.[a-zA-Z\d]{32}$/;

/** What the sources of volumes must be beyond being there (Kubernetes pkg/apis/core/validation validate…VolumeSource). */
export function validateVolumeDetails(source: string, given: JsonObject, path: string, faults: Faults): void {
  CHECKS[source]?.(given, path, faults);
}

/** The name of a CSI driver (ValidateCSIDriverName). */
export function checkDriverName(driver: string, field: string, faults: Faults): void {
  if (driver === '') faults.push(required(field));
  if (driver.length > MAX_DRIVER) faults.push(tooLong(field, MAX_DRIVER));
  for (const problem of subdomainProblems(driver.toLowerCase())) faults.push(invalid(field, driver, problem));
}

const CHECKS: { readonly [source: string]: Check } = {
  nfs(source, path, faults) {
    const directory = textOf(source, 'path');
    if (!directory.startsWith('/')) faults.push(invalid(`${path}.path`, directory, 'must be an absolute path'));
  },
  iscsi(source, path, faults) {
    const name = textOf(source, 'iqn');
    if (name !== '') checkInitiator(name, `${path}.iqn`, faults);
    checkLun(numberOf(source, 'lun') ?? 0, `${path}.lun`, faults);
    const needsSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true;
    if (needsSecret && objectOf(source, 'secretRef') === undefined) faults.push(required(`${path}.secretRef`));
  },
  fc(source, path, faults) {
    const targets = textsOf(source, 'targetWWNs');
    const ids = textsOf(source, 'wwids');
    const field = `${path}.targetWWNs`;
    if (targets.length + ids.length === 0) {
      faults.push(required(field, 'must specify either targetWWNs or wwids, but not both'));
    }
    if (targets.length > 0 && ids.length > 0) {
      faults.push(invalid(field, targets, 'targetWWNs and wwids can not be specified simultaneously'));
    }
    const lun = numberOf(source, 'lun');
    if (targets.length === 0) return;
    if (lun === undefined) faults.push(required(`${path}.lun`, 'lun is required if targetWWNs is specified'));
    else checkLun(lun, `${path}.lun`, faults);
  },
  rbd(source, path, faults) {
    if (textsOf(source, 'monitors').length === 0) faults.push(required(`${path}.monitors`));
  },
  cephfs(source, path, faults) {
    if (textsOf(source, 'monitors').length === 0) faults.push(required(`${path}.monitors`));
  },
  hostPath(source, path, faults) {
    checkOneOf(source.type, `${path}.type`, HOST_PATHS, faults);
  },
  csi(source, path, faults) {
    checkDriverName(textOf(source, 'driver'), `${path}.driver`, faults);
  },
};

function checkLun(lun: number, field: string, faults: Faults): void {
  if (lun < 0 || lun > MAX_LUN) faults.push(invalid(field, lun, `must be between 0 and ${MAX_LUN}, inclusive`));
}

function checkInitiator(name: string, field: string, faults: Faults): void {
  if (!/^(iqn|eui|naa)/.test(name)) {
    faults.push(invalid(field, name, 'must be valid format starting with iqn, eui, or naa'));
  } else if (![IQN, EUI, NAA].some((form) => form.test(name)))
    faults.push(invalid(field, name, 'must be valid format'));
}
