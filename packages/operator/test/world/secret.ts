import type { Credentials } from '@cro/fabric-sim';
import type { KubeSim } from '@cro/kube-sim';
import { NAMESPACE } from './names.ts';

/** Puts the Secret with these credentials into the cluster, or changes it. */
export function putSecret(kube: KubeSim, credentials: Credentials): void {
  const { realm, username, password, clientId, clientSecret } = credentials;
  const encode = (text: string) => Buffer.from(text).toString('base64');
  kube.objects.put({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'credentials', namespace: NAMESPACE },
    data: {
      realm: encode(realm),
      username: encode(username),
      password: encode(password),
      client_id: encode(clientId),
      client_secret: encode(clientSecret),
    },
  });
}

/** Takes the Secret away. */
export function deleteSecret(kube: KubeSim): void {
  kube.objects.delete('secrets', 'credentials', NAMESPACE);
}
