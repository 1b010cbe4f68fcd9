import { arrayAt, getAt, isJsonObject, type JsonValue, objectAt, stringAt } from '@/lib/json/json';
import { hasCondition } from '@/lib/kube/conditions';
import { compareApiVersions } from '@/lib/kube/kinds';
import type { KubeObject } from '@/lib/kube/object';
import type { KindStrategy } from '../kinds/base/strategy';
import { type CustomInfo, groupResourceName, type PrinterColumn, type ResourceInfo } from '../registry/resource-info';

/** Makes the strategy of one version of a definition. */
export type CustomStrategyMaker = (crd: KubeObject, version: string) => KindStrategy;

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const SUBRESOURCE_VERBS = ['get', 'patch', 'update'];

/** The resources that an established definition serves, one for each served version. */
export function resourcesOf(crd: KubeObject, strategyOf: CustomStrategyMaker): ResourceInfo[] {
  if (!hasCondition(crd, 'Established')) return [];
  return arrayAt(crd, 'spec', 'versions')
    .filter((version) => getAt(version, 'served') === true)
    .map((version) => resourceOf(crd, version, strategyOf));
}

function resourceOf(crd: KubeObject, version: JsonValue, strategyOf: CustomStrategyMaker): ResourceInfo {
  const group = stringAt(crd, 'spec', 'group') ?? '';
  const names = objectAt(crd, 'status', 'acceptedNames');
  const resource = stringAt(names, 'plural') ?? '';
  const kind = stringAt(names, 'kind') ?? '';
  const name = stringAt(version, 'name') ?? '';
  const custom = customInfo(crd, version);
  const subresources = [
    ...(custom.hasStatus ? [{ name: 'status', kind, group: '', version: '', verbs: SUBRESOURCE_VERBS }] : []),
    ...(custom.scale === undefined
      ? []
      : [{ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: SUBRESOURCE_VERBS }]),
  ];
  return {
    group,
    version: name,
    resource,
    kind,
    listKind: stringAt(names, 'listKind') ?? `${kind}List`,
    singular: stringAt(names, 'singular') ?? '',
    namespaced: stringAt(crd, 'spec', 'scope') === 'Namespaced',
    verbs: VERBS,
    shortNames: arrayAt(names, 'shortNames').map(String),
    categories: arrayAt(names, 'categories').map(String),
    subresources,
    storage: groupResourceName(group, resource),
    strategy: strategyOf(crd, name),
    custom,
  };
}

function customInfo(crd: KubeObject, version: JsonValue): CustomInfo {
  const scale = getAt(version, 'subresources', 'scale');
  const versions = arrayAt(crd, 'spec', 'versions');
  const storage = versions.find((each) => getAt(each, 'storage') === true);
  return {
    crdName: crd.metadata.name ?? '',
    crdUid: crd.metadata.uid ?? '',
    storageVersion: stringAt(storage, 'name') ?? '',
    columns: arrayAt(version, 'additionalPrinterColumns').filter(isJsonObject) as unknown as PrinterColumn[],
    scale: isJsonObject(scale) ? (scale as unknown as NonNullable<CustomInfo['scale']>) : undefined,
    hasStatus: isJsonObject(getAt(version, 'subresources', 'status')),
    selectableFields: arrayAt(version, 'selectableFields').map((field) =>
      (stringAt(field, 'jsonPath') ?? '').replace(/^\./, ''),
    ),
    schema: getAt(version, 'schema', 'openAPIV3Schema'),
    deprecation: deprecation(crd, version),
    terminating: hasCondition(crd, 'Terminating'),
  };
}

function deprecation(crd: KubeObject, version: JsonValue): string | undefined {
  if (getAt(version, 'deprecated') !== true) return undefined;
  const kind = stringAt(crd, 'spec', 'names', 'kind') ?? '';
  const given = stringAt(version, 'deprecationWarning');
  if (given !== undefined) return given;
  const group = stringAt(crd, 'spec', 'group') ?? '';
  const name = stringAt(version, 'name') ?? '';
  const newer = arrayAt(crd, 'spec', 'versions')
    .filter((each) => getAt(each, 'served') === true && getAt(each, 'deprecated') !== true)
    .map((each) => stringAt(each, 'name') ?? '')
    .sort(compareApiVersions)[0];
  const advice = newer === undefined || compareApiVersions(newer, name) > 0 ? '' : `; use ${group}/${newer} ${kind}`;
  return `${group}/${name} ${kind} is deprecated${advice}`;
}
