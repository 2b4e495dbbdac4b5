import type { SimResponse } from '../base/http.ts';
import type { JsonObject } from '../base/json.ts';
import type { Call } from '../api/call.ts';
import { jsonResponse, textResponse } from '../api/respond.ts';
import type { Registry } from '../resources/registry.ts';
import { AGGREGATED, aggregatedDiscovery } from './aggregated.ts';
import { openApiDocument, openApiIndex, openApiV2 } from './open-api.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './resource-lists.ts';

/** The version of Kubernetes that the server says it is. */
const VERSION: JsonObject = {
  major: '1',
  minor: '34',
  gitVersion: 'v1.34.0-kube-sim',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: 'linux/amd64',
};

/** Answers the requests that are about the server and not about objects; undefined for all others. */
export function documents(registry: Registry, call: Call): SimResponse | undefined {
  const path = call.pathname.replace(/\/$/u, '');
  const aggregated = accepts(call, AGGREGATED);
  switch (path) {
    case '/healthz':
    case '/livez':
    case '/readyz':
      return textResponse(200, 'ok');
    case '/version':
      return jsonResponse(200, VERSION);
    case '/api':
      return aggregated ? discovery(registry, ['']) : jsonResponse(200, apiVersions(registry));
    case '/apis':
      return aggregated
        ? discovery(
            registry,
            registry.groups().filter((group) => group !== ''),
          )
        : jsonResponse(200, apiGroupList(registry));
    case '/openapi/v3':
      return jsonResponse(200, openApiIndex(registry));
    case '/openapi/v2':
      return accepts(call, PROTO_V2) ? emptyOpenApiV2() : jsonResponse(200, openApiV2(registry));
    default:
      return below(registry, path);
  }
}

/** OpenAPI v2 in protobuf: what kubectl asks for where v3 does not tell a kind. */
const PROTO_V2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** A document that tells no kind either, which is a message without fields. */
function emptyOpenApiV2(): SimResponse {
  return { status: 200, headers: { 'content-type': PROTO_V2.replace('@', '.') }, body: '' };
}

function below(registry: Registry, path: string): SimResponse | undefined {
  const openApi = /^\/openapi\/v3\/(?:api\/(?<core>[^/]+)|apis\/(?<group>[^/]+)\/(?<version>[^/]+))$/u.exec(
    path,
  )?.groups;
  if (openApi !== undefined) {
    return found(openApiDocument(registry, openApi['group'] ?? '', openApi['version'] ?? openApi['core'] ?? ''));
  }
  const core = /^\/api\/([^/]+)$/u.exec(path)?.[1];
  if (core !== undefined) return found(apiResourceList(registry, '', core));
  const [, group, version] = /^\/apis\/([^/]+)(?:\/([^/]+))?$/u.exec(path) ?? [];
  if (group === undefined) return undefined;
  return found(version === undefined ? apiGroup(registry, group) : apiResourceList(registry, group, version));
}

function found(document: JsonObject | undefined): SimResponse | undefined {
  return document === undefined ? undefined : jsonResponse(200, document);
}

function discovery(registry: Registry, groups: readonly string[]): SimResponse {
  const response = jsonResponse(200, aggregatedDiscovery(registry, groups));
  return { ...response, headers: { ...response.headers, 'content-type': AGGREGATED } };
}

/** True when `type` is among the accepted media types; the order of its parameters does not count. */
function accepts(call: Call, type: string): boolean {
  const normal = (text: string) =>
    text
      .split(';')
      .map((part) => part.trim())
      .sort()
      .join(';');
  return (call.headers['accept'] ?? '').split(',').some((part) => normal(part) === normal(type));
}
