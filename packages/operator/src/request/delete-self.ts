import { requestKind, type ComposabilityRequest } from '@cro/crd-types';
import { accessTo, type Access } from '@cro/kube-runtime';
import type { RequestOutcome } from '@cro/state-machines';
import type { Services } from '../services.ts';
import { resultOfDelete } from './children.ts';

/** What the deletion of a request whose node is gone asks of the API server. */
export const deletingRequests: Access = accessTo(requestKind, ['delete'], {
  without: 'a request for a node that is gone stays',
  need: 'optional',
});

/** Why it goes was written into its status, and told, before. */
export async function deleteRequest(request: ComposabilityRequest, services: Services): Promise<RequestOutcome> {
  const { name, uid } = request.metadata;
  const outcome = await services.client.delete(requestKind, { name }, { uid });
  return { request: 'deleteSelf', ...resultOfDelete(outcome) };
}
