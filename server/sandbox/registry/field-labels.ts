import { getAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { badRequest } from '../errors/status';
import type { FieldRequirement } from '../selectors/selector';
import { groupResourceName, type ResourceInfo } from './resource-info';

/**
 * The fields that a selector may name, beside `metadata.name` and `metadata.namespace`: the field label conversions of
 * each kind (Kubernetes pkg/apis/…/conversion.go). A value is the path of the field, with the value of an absent field.
 */
const EVENT_FIELDS =
  `involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid involvedObject.apiVersion
  involvedObject.resourceVersion involvedObject.fieldPath reason reportingComponent source type`.split(/\s+/);

const FIELDS: { readonly [resource: string]: readonly string[] } = {
  pods: `spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork status.phase
    status.podIP status.podIPs status.nominatedNodeName`.split(/\s+/),
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  replicationcontrollers: ['status.replicas'],
  services: ['spec.clusterIP', 'spec.type'],
  events: EVENT_FIELDS,
  'events.events.k8s.io': [
    ...EVENT_FIELDS.map((field) => field.replace('involvedObject', 'regarding')),
    'reportingController',
  ],
  'jobs.batch': ['status.successful'],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
  'resourceslices.resource.k8s.io': ['spec.nodeName', 'spec.driver'],
};

/** 400 unless every field can be selected by. */
export function checkFieldLabels(info: ResourceInfo, requirements: readonly FieldRequirement[]): void {
  const name = groupResourceName(info.group, info.resource);
  const known = info.custom?.selectableFields ?? FIELDS[name];
  for (const { field } of requirements) {
    if (field === 'metadata.name' || field === 'metadata.namespace') continue;
    if (known?.includes(field)) continue;
    throw badRequest(
      known === undefined || (info.custom === undefined && !Object.hasOwn(FIELDS, name))
        ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
        : info.storage === 'jobs.batch'
          ? `field label ${JSON.stringify(field)} not supported for Job`
          : `field label not supported: ${field}`,
    );
  }
}

export function matchesFields(requirements: readonly FieldRequirement[], object: KubeObject): boolean {
  return requirements.every(({ field, equal, value }) => (fieldText(object, field) === value) === equal);
}

/** What a field counts as when it is absent. */
const ABSENT: { readonly [field: string]: string } = {
  'spec.hostNetwork': 'false',
  'spec.unschedulable': 'false',
  'status.successful': '0',
  'status.replicas': '0',
};
/** Other places of a field, in their order. */
const PLACES: { readonly [field: string]: readonly string[] } = {
  source: ['source.component', 'reportingComponent'],
  reportingComponent: ['reportingComponent', 'source.component'],
  'status.successful': ['status.succeeded'],
};

function fieldText(object: KubeObject, field: string): string {
  const values = (PLACES[field] ?? [field]).map((place) => getAt(object, ...place.split('.')));
  const value = values.find((each) => each !== undefined && each !== null && typeof each !== 'object');
  return value === undefined ? (ABSENT[field] ?? '') : String(value);
}
