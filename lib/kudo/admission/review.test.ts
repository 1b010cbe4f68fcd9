import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '@/lib/json/json';
import { PROBE_LABEL, readReview } from './review';

const instance = (more: JsonObject = {}): JsonObject => ({
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'Instance',
  metadata: { name: 'i' },
  spec: { operatorVersion: { name: 'v1' } },
  ...more,
});

const review = (request: JsonObject, more: JsonObject = {}): string =>
  JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'r1',
      operation: 'CREATE',
      namespace: 'n',
      resource: { group: 'kudo.dev', version: 'v1beta1', resource: 'instances' },
      object: instance(),
      ...request,
    },
    ...more,
  });

describe('readReview', () => {
  it.each(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'])('reads a create and an update of %s', (apiVersion) => {
    const about = { version: apiVersion, uid: 'r1' };
    expect(readReview(review({}, { apiVersion }))).toMatchObject({ kind: 'decide', about, stored: undefined });
    const question = readReview(review({ operation: 'UPDATE', oldObject: instance() }, { apiVersion }));
    expect(question).toMatchObject({ kind: 'decide', about, stored: { metadata: { name: 'i', namespace: 'n' } } });
  });

  it('takes the namespace from the request, and a null for something absent', () => {
    const object = instance({
      metadata: { name: 'i', namespace: 'forged', finalizers: null },
      spec: null,
      status: null,
    });
    expect(readReview(review({ object }))).toMatchObject({
      sent: { metadata: { name: 'i', namespace: 'n' }, spec: {} },
    });
  });

  it('knows the dry run by which it is tried whether the webhook is reached, and takes nothing else for it', () => {
    const labelled = instance({ metadata: { name: 'i', labels: { [PROBE_LABEL]: 'x' } } });
    const kindOf = (request: JsonObject) => readReview(review(request)).kind;
    expect(kindOf({ object: labelled, dryRun: true })).toBe('probe');
    expect(kindOf({ object: labelled, dryRun: false })).toBe('decide');
    expect(kindOf({ object: labelled, oldObject: instance(), operation: 'UPDATE', dryRun: true })).toBe('decide');
    expect(kindOf({ dryRun: true })).toBe('decide');
  });

  it.each<[string, JsonObject]>([
    ['another resource', { resource: { group: '', version: 'v1', resource: 'pods' } }],
    ['a status', { subResource: 'status' }],
    ['a deletion', { operation: 'DELETE', object: null }],
    ['no resource', { resource: null }],
  ])('has no opinion about %s', (_what, request) => {
    expect(readReview(review(request))).toEqual({ kind: 'pass', about: { version: 'admission.k8s.io/v1', uid: 'r1' } });
  });

  it.each<[string, JsonObject, string]>([
    ['no object', { object: null }, 'object is no object of Kubernetes'],
    ['a list', { object: [] }, 'object is no map'],
    [
      'a parameter that is a number',
      { object: instance({ spec: { parameters: { A: 1 } } }) },
      'object.spec.parameters.A',
    ],
    [
      'parameters that are a text',
      { object: instance({ spec: { parameters: 'A' } }) },
      'object.spec.parameters is no map',
    ],
    [
      'a version that is a list',
      { object: instance({ spec: { operatorVersion: [] } }) },
      'object.spec.operatorVersion',
    ],
    [
      'a uid that is a map',
      { object: instance({ spec: { planExecution: { uid: {} } } }) },
      'planExecution.uid is no text',
    ],
    ['finalizers that are none', { object: instance({ metadata: { finalizers: 'x' } }) }, 'finalizers is no list'],
    [
      'a value that looks like a fingerprint',
      { object: instance({ spec: { parameters: { A: '\u0000x' } } }) },
      'spec.parameters.A is no text',
    ],
    ['sources that are no list', { object: instance({ spec: { parametersFrom: {} } }) }, 'parametersFrom is no list'],
    [
      'a source with a key that is a number',
      { object: instance({ spec: { parametersFrom: [{ name: 'A', secretKeyRef: { name: 's', key: 1 } }] } }) },
      'parametersFrom.secretKeyRef.key is no text',
    ],
    ['a finalizer that is a number', { object: instance({ metadata: { finalizers: [1] } }) }, 'finalizers is no text'],
    [
      'annotations of numbers',
      { object: instance({ metadata: { annotations: { a: 1 } } }) },
      'annotations.a is no text',
    ],
    [
      'a plan status that is a text',
      { object: instance({ status: { planStatus: { deploy: 'x' } } }) },
      'planStatus.deploy',
    ],
    ['an update of nothing', { operation: 'UPDATE', oldObject: null }, 'oldObject is no object'],
  ])('says what is wrong with %s', (_what, request, problem) => {
    expect(readReview(review(request))).toMatchObject({
      kind: 'undecodable',
      problem: expect.stringContaining(problem),
    });
  });

  it.each<[JsonValue, string]>([
    ['x', 'object.status.notices is no list'],
    [['x'], 'object.status.notices has an entry that is no map'],
    [[{ target: 1 }], 'object.status.notices.target is no text'],
  ])('says what is wrong with the notices %j of a PlanApproval, and reads those that fit', (notices, problem) => {
    const approval = (status: JsonObject): JsonObject => ({
      apiVersion: 'a/v1',
      kind: 'PlanApproval',
      metadata: {},
      status,
    });
    const resource = { group: 'bravo.kudo.dev', version: 'v1alpha1', resource: 'planapprovals' };
    const questionAbout = (sent: JsonValue) =>
      readReview(
        review({
          ...{ resource, operation: 'UPDATE', subResource: 'status' },
          ...{ object: approval({ notices: sent }), oldObject: approval({}) },
        }),
      );
    expect(questionAbout(notices)).toMatchObject({ kind: 'undecodable', problem });
    const kept = [{ target: 'T', result: 'ApprovalRequested' }];
    expect(questionAbout(kept)).toMatchObject({ kind: 'approval', sent: { status: { notices: kept } } });
  });

  it.each([
    ['', 'no JSON object'],
    ['{"a":', 'no JSON object'],
    ['[]', 'no JSON object'],
    ['null', 'no JSON object'],
    ['{}', 'no AdmissionReview'],
    ['{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v2"}', 'no AdmissionReview'],
    ['{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}', 'no request with a uid'],
    ['{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":7}}', 'no request with a uid'],
    [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'nested too deep'],
    [`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'nested too deep'],
  ])('answers nothing to %.60s', (text, problem) => {
    expect(readReview(text)).toEqual({ kind: 'invalid', problem: expect.stringContaining(problem) });
  });

  it('does not take the name of a prototype for a plan or a parameter', () => {
    const object = JSON.parse(
      '{"apiVersion":"v","kind":"Instance","metadata":{},"spec":{"parameters":{"__proto__":"x"}}}',
    );
    expect(readReview(review({ object }))).toMatchObject({ kind: 'decide' });
  });
});
