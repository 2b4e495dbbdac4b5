import { accessTo, watchAccess, type Access } from '@cro/kube-runtime';
import { configurationKind, secretKind } from './kinds.ts';

/**
 * What keeping certificates in a Secret, and a ValidatingWebhookConfiguration's trust in them, asks of the API server. A
 * mounted certificate asks nothing.
 */
export function certificateAccess(
  secret: { readonly namespace: string; readonly name: string },
  configuration: string,
): readonly Access[] {
  const kept = {
    without: 'the webhook has no certificate of its own',
    need: 'required',
    namespace: secret.namespace,
  } as const;
  const trusted = {
    without: 'the API server does not trust the webhook, and refuses new ComposabilityRequests',
    need: 'required',
    names: [configuration],
  } as const;
  return [
    watchAccess(secretKind, { ...kept, names: [secret.name] }),
    accessTo(secretKind, ['get'], { ...kept, names: [secret.name] }),
    accessTo(secretKind, ['create'], kept),
    accessTo(secretKind, ['patch'], { ...kept, names: [secret.name], rarely: 'certificates are renewed after months' }),
    watchAccess(configurationKind, trusted),
    accessTo(configurationKind, ['patch'], trusted),
  ];
}
