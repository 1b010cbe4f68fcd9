import { describe, expect, it } from 'vitest';
import type { Instance, OperatorVersion } from '@/lib/kudo/types';
import type { ExplainedPod, StepExplanation } from '@/lib/kudo/view/step-explanation';
import { diagnosisOf, parametersOfImage } from './diagnosis';

const IMAGE = 'registry.example/web:9';

const pod = (parts: Partial<ExplainedPod>): ExplainedPod => ({
  name: 'shop-web-1',
  health: { state: 'progressing', message: parts.reason ?? '' },
  container: 'web',
  image: IMAGE,
  reason: '',
  message: '',
  exitCode: undefined,
  logLines: [],
  logProblem: undefined,
  ...parts,
});

const explanation = (parts: Partial<StepExplanation>): StepExplanation => ({
  objects: [{ kind: 'Deployment', name: 'shop-web', health: { state: 'progressing', message: '0 of 2 available' } }],
  pods: [],
  unhealthyPods: parts.pods?.length ?? 0,
  claims: [],
  events: [],
  ...parts,
});

describe('diagnosisOf', () => {
  it('names the image, the pod, and what to do', () => {
    const found = diagnosisOf(
      explanation({
        pods: [pod({ reason: 'ImagePullBackOff' }), pod({ name: 'shop-web-2', reason: 'ErrImagePull' })],
      }),
    );
    expect(found).toEqual({
      cause: `Image ${IMAGE} cannot be pulled`,
      object: { kind: 'Pod', name: 'shop-web-1' },
      image: IMAGE,
      advice: 'Correct the name or tag of the image, or allow the nodes to pull it from its registry.',
    });
  });

  it('tells a container that exits from one that used too much memory', () => {
    const crash = diagnosisOf(explanation({ pods: [pod({ reason: 'CrashLoopBackOff', exitCode: 3 })] }));
    expect(crash?.cause).toBe('Container web exits with code 3 and is restarted');
    expect(crash?.advice).toMatch(/log/);
    const message = 'reading backups\nBackup monday was not restored: it does not exist\n';
    const refused = diagnosisOf(explanation({ pods: [pod({ reason: 'Error', exitCode: 42, message })] }));
    expect(refused?.cause).toBe('Container web exited with code 42: Backup monday was not restored: it does not exist');
    expect(refused?.advice).toMatch(/message/);
    const memory = diagnosisOf(explanation({ pods: [pod({ reason: 'OOMKilled', exitCode: 137 })] }));
    expect(memory?.cause).toBe('Container web was killed because it used more memory than its limit');
  });

  it('gives the words of the scheduler and the kubelet where they name the cause', () => {
    const unschedulable = pod({ reason: 'Unschedulable', message: '0/3 nodes are available: 3 Insufficient cpu.' });
    expect(diagnosisOf(explanation({ pods: [unschedulable] }))?.cause).toBe(
      'No node can run the pod: 0/3 nodes are available: 3 Insufficient cpu.',
    );
    const secret = pod({ reason: 'CreateContainerConfigError', message: 'secret "login" not found' });
    expect(diagnosisOf(explanation({ pods: [secret] }))?.cause).toBe(
      'Container web cannot be created: secret "login" not found',
    );
  });

  it('prefers a pod with a reason to one that only is not ready yet', () => {
    const found = diagnosisOf(
      explanation({ pods: [pod({ name: 'slow' }), pod({ name: 'broken', reason: 'ImagePullBackOff' })] }),
    );
    expect(found?.object.name).toBe('broken');
  });

  it('names the object when no pod exists', () => {
    expect(diagnosisOf(explanation({}))).toMatchObject({
      cause: 'Deployment shop-web: 0 of 2 available',
      object: { kind: 'Deployment', name: 'shop-web' },
    });
  });

  it('finds nothing where every object is healthy', () => {
    expect(
      diagnosisOf(
        explanation({ objects: [{ kind: 'ConfigMap', name: 'c', health: { state: 'healthy', message: '' } }] }),
      ),
    ).toBeUndefined();
  });
});

describe('parametersOfImage', () => {
  const version = (parameters: { name: string; default: string }[]): OperatorVersion => ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: 'shop-1.0' },
    spec: { parameters },
  });
  const instance = (parameters: { [name: string]: string }): Instance => ({
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'shop' },
    spec: { operatorVersion: { name: 'shop-1.0' }, parameters },
  });

  it('names the parameters that hold the image, its repository or its tag', () => {
    const defined = version([
      { name: 'IMAGE', default: 'other' },
      { name: 'REPOSITORY', default: 'registry.example/web' },
      { name: 'TAG', default: '9' },
      { name: 'SIZE', default: '' },
    ]);
    expect(parametersOfImage(IMAGE, defined, instance({ IMAGE }))).toEqual(['IMAGE', 'REPOSITORY', 'TAG']);
  });

  it('names no secret, and nothing without an image', () => {
    expect(parametersOfImage(IMAGE, version([{ name: 'PULL_TOKEN', default: IMAGE }]), instance({}))).toEqual([]);
    expect(parametersOfImage('', version([{ name: 'IMAGE', default: '' }]), instance({}))).toEqual([]);
  });
});
