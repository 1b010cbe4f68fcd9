import { arrayAt, getAt, isJsonObject, type JsonObject, objectAt, stringAt } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { PIPE_POD_ANNOTATION } from '@/lib/kudo/names';
import { RenderError } from '@/lib/kudo/rendering/render-error';
import type { PipeSpec } from '@/lib/kudo/types';

/** The container that keeps a pipe's files reachable until they are copied. */
export const WAITER = 'waiter';

/**
 * The pod of a pipe: the operator's one init container writes files into its one emptyDir, then `waiter` sleeps beside them.
 * @throws RenderError `ResourceValidationError` for a pod that breaks the rules of a pipe
 */
export function pipePod(template: KubeObject, name: string, pipe: readonly PipeSpec[], image: string): KubeObject {
  const spec = objectAt(template, 'spec');
  if (template.kind !== 'Pod') {
    throw new RenderError(`a pipe needs a Pod, and its template gives a ${template.kind}`, 'ResourceUnmarshalError');
  }
  const mount = checkPod(spec);
  for (const entry of pipe) checkFile(entry.file || entry.envFile || '', mount.mountPath);
  return {
    ...template,
    metadata: {
      ...template.metadata,
      name,
      annotations: { ...template.metadata.annotations, [PIPE_POD_ANNOTATION]: 'true' },
    },
    spec: {
      ...spec,
      restartPolicy: 'OnFailure',
      containers: [
        {
          name: WAITER,
          image,
          command: ['/bin/sh', '-c'],
          args: ['sleep infinity'],
          volumeMounts: [{ name: mount.volume, mountPath: mount.mountPath }],
          ...waiterSecurity(spec),
        },
      ],
    },
  };
}

function checkPod(spec: JsonObject): { volume: string; mountPath: string } {
  if (arrayAt(spec, 'containers').length > 0) throw invalid('it must have no containers');
  const inits = arrayAt(spec, 'initContainers');
  if (inits.length !== 1) throw invalid(`it must have exactly one init container, not ${inits.length}`);
  const policy = stringAt(spec, 'restartPolicy') ?? '';
  if (policy !== '' && policy !== 'OnFailure') throw invalid(`its restartPolicy must be OnFailure, not ${policy}`);
  const volumes = arrayAt(spec, 'volumes').filter((volume) => isJsonObject(volume) && isJsonObject(volume.emptyDir));
  if (volumes.length !== 1) throw invalid(`it must have exactly one emptyDir volume, not ${volumes.length}`);
  const volume = stringAt(volumes[0], 'name') ?? '';
  const mount = arrayAt(inits[0], 'volumeMounts').find((candidate) => stringAt(candidate, 'name') === volume);
  const mountPath = stringAt(mount, 'mountPath');
  if (mountPath === undefined) throw invalid(`its init container must mount the volume ${volume}`);
  return { volume, mountPath };
}

/**
 * `waiter` runs as the init container does: it must read the same files, and needs no more rights. Only when the package names the
 * user: images have different default users, and root without capabilities cannot read every file.
 */
function waiterSecurity(spec: JsonObject): { securityContext?: JsonObject } {
  const own = objectAt(arrayAt(spec, 'initContainers')[0] ?? {}, 'securityContext');
  const user = own.runAsUser ?? getAt(spec, 'securityContext', 'runAsUser');
  if (user === undefined || own.privileged === true) return {};
  const securityContext: JsonObject = {};
  for (const field of ['runAsUser', 'runAsGroup', 'runAsNonRoot', 'seccompProfile', 'readOnlyRootFilesystem']) {
    const value = own[field];
    if (value !== undefined) securityContext[field] = value;
  }
  if (own.allowPrivilegeEscalation === false) securityContext.allowPrivilegeEscalation = false;
  const drop = getAt(own, 'capabilities', 'drop');
  if (drop !== undefined) securityContext.capabilities = { drop };
  return Object.keys(securityContext).length === 0 ? {} : { securityContext };
}

function checkFile(file: string, mountPath: string): void {
  const clean = cleanPath(file);
  const mount = cleanPath(mountPath);
  const inside = mount === '/' ? clean !== '/' : clean.startsWith(`${mount}/`);
  if (!inside) throw invalid(`the file ${file} must lie below ${mountPath}`);
  if (!/[-._a-zA-Z0-9]/.test(baseName(file))) throw invalid(`the file ${file} has no usable name`);
}

/** Go's path.Clean for absolute paths. */
export function cleanPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** The last part of a path; the key of the file in its artifact. */
export function baseName(path: string): string {
  return cleanPath(path).split('/').at(-1) ?? '';
}

function invalid(why: string): RenderError {
  return new RenderError(`the pod of a pipe cannot be used: ${why}`, 'ResourceValidationError');
}
