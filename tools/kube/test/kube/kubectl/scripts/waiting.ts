import { gadget } from '../../conformance/gadget.ts';
import type { KubectlScripts } from '../script.ts';

const READY = '{"status":{"conditions":[{"type":"Ready","status":"True"}],"count":5}}';
const MARKED = "--for=jsonpath='{.metadata.deletionTimestamp}' --timeout=30s";

/** Commands that go on until something happens. */
export const waiting: KubectlScripts = {
  wait: async (at) => {
    await at.apply(gadget('wait'));
    const condition = at.kubectl('wait gd/wait --for=condition=Ready --timeout=30s');
    const count = at.kubectl('wait gd/wait --for=jsonpath={.status.count}=5 --timeout=30s');
    await at.kubectl(`patch gd wait --subresource=status --type=merge -p ${READY}`);
    await Promise.all([condition, count]);
    await at.kubectl('wait gd/wait --for=condition=Other --timeout=1s');
    await at.kubectl('wait gd/nobody --for=condition=Ready --timeout=1s');
    await at.kubectl('delete gd wait');
    await at.kubectl('wait gd/wait --for=delete --timeout=30s');
  },
  'get -w': async (at) => {
    await at.apply(gadget('seen'));
    const writes = async () => {
      await at.kubectl('patch gd seen --type=merge -p {"spec":{"size":2}}');
      await at.kubectl(`patch gd seen --subresource=status --type=merge -p ${READY}`);
      await at.kubectl('delete gd seen');
    };
    await at.follow('get gd -w --field-selector metadata.name=seen', 2, writes, 5);
    await at.apply(gadget('seen-again'));
    const more = () => at.kubectl('patch gd seen-again --type=merge -p {"spec":{"size":3}}');
    await at.follow('get gd -w -o name --output-watch-events --field-selector metadata.name=seen-again', 1, more, 2);
  },
  'delete, and what holds it': async (at) => {
    await at.apply(gadget('held', {}, { finalizers: ['a.example.com/x'] }));
    await at.kubectl('delete gd held --wait=false');
    await at.kubectl('get gd held -o jsonpath={.metadata.finalizers},{.metadata.generation}');
    await at.kubectl('patch gd held --type=json -p [{"op":"remove","path":"/metadata/finalizers"}]');
    await at.kubectl('wait gd/held --for=delete --timeout=30s');
    await at.apply(gadget('held', {}, { finalizers: ['a.example.com/x'] }));
    const deleting = at.kubectl('delete gd held --timeout=30s');
    await at.kubectl(`wait gd/held ${MARKED}`);
    await at.kubectl('get gd held -o jsonpath={.metadata.finalizers}');
    await at.kubectl('patch gd held --type=merge -p {"metadata":{"finalizers":null}}');
    await deleting;
    await at.kubectl('delete gd held');
    await at.kubectl('delete gd held --ignore-not-found');
    await at.apply(gadget('all-a', {}, { labels: { all: 'yes' } }));
    await at.apply(gadget('all-b', {}, { labels: { all: 'yes' } }));
    await at.kubectl('delete gd -l all=yes');
    await at.apply(gadget('dry'));
    await at.kubectl('delete gd dry --dry-run=server');
    await at.kubectl('delete gd dry --now');
  },
};
