import { seededRandom } from '@cro/fabric-sim';
import { Chaos } from './world/chaos.ts';
import { Ledger } from './world/ledger.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith } from './world/objects.ts';
import { makeWorld } from './world/world.ts';
const seed = Number(process.argv[2] ?? 1);
const random = seededRandom(seed);
const world = await makeWorld({ seed, attachMs: { fromMs: 0, toMs: 20_000 }, detachMs: { fromMs: 0, toMs: 5_000 }, publishDelayMs: 3_000 });
const ledger = new Ledger(world);
const chaos = new Chaos(world, random);
let calls = 0; let seen: Record<string, number> = {}; const recent: string[] = [];
const before = world.gates.before; const after = world.gates.after;
world.gates.after = (w) => { recent.push(`${world.clock.monotonic().toFixed(1)} < ${w.slice(0,140)}`); after(w); };
world.gates.before = (w) => { recent.push(`${world.clock.monotonic().toFixed(1)} > ${w.slice(0,140)}`); if (recent.length > 60) recent.splice(0, 30); calls += 1; const k = w.replace(/[0-9a-f-]{36}/g, 'ID').slice(0, 90); seen[k] = (seen[k] ?? 0) + 1; if (calls % 5000 === 0) { console.log('t', world.clock.monotonic(), 'kills', chaos.kills, 'pending', world.clock.pending, Object.entries(seen).sort((a, b) => b[1] - a[1]).slice(0, 4)); if (calls > 20000) { console.log(recent.slice(-30).join('\n')); console.log(JSON.stringify(world.log.slice(-6)), JSON.stringify(resourcesOf(world), null, 1).slice(0, 3000)); process.exit(1); } } before(w); };
for (const size of [2, 3, 1]) {
  putRequest(world, 'story', { size });
  if (random() < 0.7) console.log(size, await world.clock.runUntil(() => runsWith(world, 'story', size), 7_200_000), world.clock.monotonic());
  else await world.clock.advance(random() * 60_000);
}
world.kube.objects.delete(REQUESTS, 'story');
await world.clock.advance(random() * 60_000);
chaos.calm();
console.log('calm', world.clock.monotonic());
console.log(await world.clock.runUntil(() => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0, 7_200_000), ledger.faults);
process.exit(0);
