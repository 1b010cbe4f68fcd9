/**
 * What the controller acted upon last, kept on the Instance so that an edit by anybody is found by comparison, with or
 * without a webhook, and so that a running plan keeps the inputs that it began with. JSON:
 * `{"format": 2, "operatorVersion": {"name", "namespace"?}, "parameters": {…}, "fingerprints"?: {…}, "sources"?: {…}, "plan"?,
 * "uid"?, "startedAt"?, "origin"?, "ended"?, "before"?}`. `parameters` are the values of the Instance but for secret ones and those that come
 * from Secrets and ConfigMaps, of which `fingerprints` has a keyed fingerprint each; `sources` are the latter's places
 * (`Secret/NAME/KEY`). Plan, uid and startedAt are those of the execution that used these inputs first (`startedAt`
 * RFC 3339: the `now` of its templates), `origin` says why it began, and `ended` is the status with which a person ended it by hand before its time. `before`
 * is the record of the execution before it, when that has ended and the write that empties `planExecution` and names what it left
 * has not come yet.
 */
export const ACTED_UPON_ANNOTATION = 'bravo.kudo.dev/acted-upon';
