import { messageOf, TerminalError } from '@/lib/errors/errors';
import { isJsonObject } from '@/lib/json/json';
import type { KubeObject } from '@/lib/kube/object';
import { renderText } from '@/lib/kudo/rendering/render';
import { unwrapParameters } from '@/lib/kudo/rendering/unwrap';
import { baseVariables } from '@/lib/kudo/rendering/variables';
import type { RenderEnvironment } from '@/lib/template/contract';
import { readYamlAsKubernetes } from '@/lib/yaml/yaml';
import type { PreparedInstall } from './prepare-install';

/**
 * The Namespace that `install --create-namespace` creates: the package's `namespaceManifest` rendered with
 * the Instance's parameters, defaults included (KUDO left them out), under the wanted name; without one a bare Namespace.
 *
 * @throws TerminalError in KUDO's words when the manifest is missing, cannot be rendered, or is not an object
 */
export function namespaceObject(prepared: PreparedInstall, environment: RenderEnvironment): KubeObject {
  const { operator, operatorVersion } = prepared;
  const name = operatorVersion.metadata.namespace ?? '';
  const file = operator.spec?.namespaceManifest ?? '';
  const manifest = file === '' ? {} : renderManifest(file, prepared, environment);
  const metadata = isJsonObject(manifest.metadata) ? manifest.metadata : {};
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : {};
  return {
    ...manifest,
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...metadata, name, annotations: { ...stringsOf(annotations), 'created-by': 'kudo-cli' } },
  };
}

function renderManifest(
  file: string,
  { operatorVersion, instance }: PreparedInstall,
  environment: RenderEnvironment,
): { [key: string]: unknown } {
  if (!Object.hasOwn(operatorVersion.spec?.templates ?? {}, file)) {
    throw invalid(`failed to find template for namespace manifest "${file}"`);
  }
  const parameters = unwrapParameters(operatorVersion, instance.spec?.parameters);
  let text: string;
  try {
    text = renderText(operatorVersion, file, baseVariables(instance, operatorVersion, parameters), environment);
  } catch (error) {
    throw invalid(`failed to render namespace manifest "${file}": ${messageOf(error)}`, error);
  }
  const read = readYamlAsKubernetes(text);
  if (read.ok && isJsonObject(read.value)) return read.value;
  const why = read.ok ? 'the manifest is not an object' : (read.problems[0]?.message ?? 'the manifest is not YAML');
  throw invalid(`unmarshalling namespace manifest file: ${file}: ${why}`);
}

function stringsOf(members: { [key: string]: unknown }): { [key: string]: string } {
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, String(value)]));
}

function invalid(message: string, cause?: unknown): TerminalError {
  return new TerminalError(message, 'PackageInvalid', { cause });
}
