import { request, REQUESTS, resource, RESOURCES, type Script } from './objects.ts';

/** What later versions say in other words. */
export const SCRIPTS_OF_1_34: Readonly<Record<string, Script>> = {
  'texts of 1.34': async (api) => {
    await api.post(REQUESTS, request('wrong', { size: 1.5 }));
    await api.post(RESOURCES, resource('wrong', {}, { finalizers: ['not/a/name'] }));
    await api.post(RESOURCES, resource('wrong', {}, { ownerReferences: [{ name: 'x' }] }));
  },
};
