import { ACTED_UPON_ANNOTATION } from '@/lib/kudo/plan/acted-upon-annotation';

const sent = 'object.spec.planExecution';
const stored = 'oldObject.spec.planExecution';

/** `has()` for every step of a path, so that no evaluation can fail: a condition that fails skips the webhook. */
const there = (path: string): string => {
  const parts = path.split('.');
  return parts
    .slice(1)
    .map((_, index) => `has(${parts.slice(0, index + 2).join('.')})`)
    .join(' && ');
};

const isSame = (field: string, empty: string): string => {
  const either = (root: string) => `(has(${root}.spec.${field}) ? ${root}.spec.${field} : ${empty})`;
  return `${either('object')} == ${either('oldObject')}`;
};

const hasSameRecord = ['object', 'oldObject']
  .map(
    (root) => `${there(`${root}.metadata.annotations`)} && '${ACTED_UPON_ANNOTATION}' in ${root}.metadata.annotations`,
  )
  .concat(
    ['object', 'oldObject'].map((root) => `${root}.metadata.annotations['${ACTED_UPON_ANNOTATION}']`).join(' == '),
  )
  .join(' && ');

/** The status of the scheduled execution becomes IN_PROGRESS. */
const begins = [
  ...['planName', 'uid', 'status'].map((field) => there(`${sent}.${field}`)),
  ...['planName', 'uid'].map((field) => `${sent}.${field} == ${stored}.${field}`),
  `${sent}.status == 'IN_PROGRESS'`,
].join(' && ');

/** An execution whose status says that it is over is taken off. */
const ends = [
  ...['planName', 'uid'].map((field) => `(!has(${sent}) || !has(${sent}.${field}) || ${sent}.${field} == '')`),
  there('oldObject.status.planStatus'),
  `${stored}.planName in oldObject.status.planStatus`,
  ...['uid', 'status'].map((field) => `'${field}' in oldObject.status.planStatus[${stored}.planName]`),
  `oldObject.status.planStatus[${stored}.planName].uid == ${stored}.uid`,
  `oldObject.status.planStatus[${stored}.planName].status in ['COMPLETE', 'FATAL_ERROR']`,
].join(' && ');

/**
 * CEL that is false for the two writes that the controller makes in every plan, and in which nothing is decided: the API server
 * then asks no webhook (`matchConditions`, Kubernetes 1.28; older ones ask, and the webhook lets them pass by `isOwnStep`).
 * A client that sends such a write gains nothing: version, parameters, their sources and the record of what was acted upon are as they were.
 */
export const NOT_AN_OWN_STEP = `!(${[
  "request.operation == 'UPDATE'",
  'has(object.spec) && has(oldObject.spec) && !has(oldObject.metadata.deletionTimestamp)',
  ...['planName', 'uid'].map((field) => `${there(`${stored}.${field}`)} && ${stored}.${field} != ''`),
  isSame('operatorVersion', '{}'),
  isSame('parameters', '{}'),
  isSame('parametersFrom', '[]'),
  hasSameRecord,
  `(${begins} || ${ends})`,
].join(' && ')})`;
