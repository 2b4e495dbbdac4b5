import { describe, expect, it } from 'vitest';
import { Store, type CacheEvent, type MalformedObject, type StoreOptions } from '../src/watch/store.ts';
import { compareVersions } from '../src/watch/version.ts';
import { widgets, type Widget } from './support/widget.ts';

function object(name: string, uid: string, version: number, spec: object = { size: version }) {
  const metadata = { name, namespace: 'default', uid, resourceVersion: String(version) };
  return { apiVersion: 'test.example/v1', kind: 'Widget', metadata, spec };
}

function newStore(options: Partial<StoreOptions<Widget>> = {}) {
  const events: CacheEvent<Widget>[] = [];
  const malformed: MalformedObject[] = [];
  const store = new Store<Widget>({
    kind: widgets,
    onEvent: (event) => {
      events.push(event);
    },
    onMalformed: (found) => {
      malformed.push(found);
    },
    ...options,
  });
  store.begin();
  return { store, events, malformed, size: () => store.get('default/a')?.spec.size };
}

describe('Store, own writes over the watch', () => {
  it('never rolls an object back to an older event', () => {
    const { store, events, size } = newStore();
    store.set(object('a', 'u1', 5));
    store.commit('5');
    store.wrote(object('a', 'u1', 8));
    store.set(object('a', 'u1', 6));
    store.set(object('a', 'u1', 7));
    expect(size()).toBe(8);
    store.set(object('a', 'u1', 8));
    store.set(object('a', 'u1', 9));
    expect(size()).toBe(9);
    expect(events.map((event) => event.object.spec.size)).toEqual([5, 8, 9]);
  });

  it('believes the answer to an own write more than what the watch showed of the same version', () => {
    const { store, events, size } = newStore();
    store.set(object('a', 'u1', 5));
    store.commit('5');
    // As a server shows it that still judges watches by an older schema, and writes by a newer one.
    store.set(object('a', 'u1', 6, { size: 0 }));
    store.reached('6');
    store.wrote(object('a', 'u1', 6));
    expect(size()).toBe(6);
    store.wrote(object('a', 'u1', 6));
    expect(events.map((event) => event.object.spec.size)).toEqual([5, 0, 6]);
  });

  it('keeps an own delete deleted when a late change comes', () => {
    const { store, size } = newStore();
    store.set(object('a', 'u1', 5));
    store.commit('5');
    store.wroteGone('default/a', 'u1');
    expect(size()).toBeUndefined();
    store.set(object('a', 'u1', 6));
    store.wrote(object('a', 'u1', 7));
    expect(size()).toBeUndefined();
    store.remove(object('a', 'u1', 8));
    expect(size()).toBeUndefined();
  });

  it('keeps an own delete deleted through a list that had begun before it', () => {
    const { store, size } = newStore();
    store.set(object('a', 'u1', 5));
    store.commit('5');
    store.begin();
    store.wroteGone('default/a', 'u1');
    store.set(object('a', 'u1', 5));
    store.commit('5');
    store.set(object('a', 'u1', 6));
    expect(size()).toBeUndefined();
  });

  it('shows a recreated object at once, and tells that the old one went', () => {
    const { store, events, size } = newStore();
    store.set(object('a', 'u1', 5));
    store.commit('5');
    store.wrote(object('a', 'u2', 9));
    expect(events.map((event) => [event.type, event.object.metadata.uid])).toEqual([
      ['set', 'u1'],
      ['deleted', 'u1'],
      ['set', 'u2'],
    ]);
    store.set(object('a', 'u1', 6));
    store.remove(object('a', 'u1', 7));
    expect(size()).toBe(9);
    expect(events).toHaveLength(3);
  });

  it('does not bring back what the watch has seen go', () => {
    const { store, size } = newStore();
    store.commit('5');
    store.set(object('a', 'u1', 6));
    store.reached('6');
    store.remove(object('a', 'u1', 8));
    store.reached('8');
    store.wrote(object('a', 'u1', 7));
    expect(size()).toBeUndefined();
  });

  it('keeps what was written after the snapshot of a list, and drops what was written before', () => {
    const { store, size } = newStore();
    store.wrote(object('a', 'u1', 9));
    store.wrote(object('b', 'u2', 6));
    store.commit('7');
    expect(size()).toBe(9);
    expect(store.get('default/b')).toBeUndefined();
  });

  it('takes an own write as the first word of a new history', () => {
    const { store, size } = newStore();
    store.set(object('a', 'u1', 900));
    store.commit('900');
    store.distrust();
    store.begin();
    store.wrote(object('a', 'u1', 5));
    expect(size()).toBe(5);
  });

  it('ignores an own delete of another object of the same name', () => {
    const { store, size } = newStore();
    store.set(object('a', 'u2', 5));
    store.commit('5');
    store.wroteGone('default/a', 'u1');
    expect(size()).toBe(5);
  });

  it('leaves own writes out that do not belong into it', () => {
    const { store, size } = newStore({ accepts: () => false });
    store.commit('5');
    store.wrote(object('a', 'u1', 6));
    expect(size()).toBeUndefined();
  });

  it('knows, when it holds a selection, that a late deletion was of an older state', () => {
    const { store, size } = newStore({ filtered: true });
    store.set(object('a', 'u1', 5));
    store.commit('5');
    // Our write made it match again, after it had stopped to.
    store.wrote(object('a', 'u1', 8));
    store.remove(object('a', 'u1', 7));
    expect(size()).toBe(8);
    store.remove(object('a', 'u1', 9));
    expect(size()).toBeUndefined();
  });
});

describe('Store, what cannot be read', () => {
  const broken = (name: string, version: number) => object(name, `u-${name}`, version, { size: 'large' });

  it('is left out, listed, and told once', () => {
    const { store, malformed } = newStore();
    store.set(broken('a', 5));
    store.commit('5');
    store.set(broken('a', 6));
    expect(store.list()).toEqual([]);
    expect(store.malformed()).toEqual([{ key: 'default/a', message: 'spec.size: expected a number' }]);
    expect(malformed).toHaveLength(1);
  });

  it('stays in its last good state, and recovers', () => {
    const { store, size } = newStore();
    store.set(object('a', 'u-a', 5));
    store.commit('5');
    store.set(broken('a', 6));
    expect(size()).toBe(5);
    store.begin();
    store.set(broken('a', 6));
    store.commit('6');
    expect(size()).toBe(5);
    store.set(object('a', 'u-a', 7));
    expect(size()).toBe(7);
    expect(store.malformed()).toEqual([]);
  });

  it('is forgotten when it is gone', () => {
    const { store } = newStore();
    store.set(broken('a', 5));
    store.set(broken('b', 5));
    store.commit('5');
    store.remove(broken('a', 6));
    expect(store.malformed().map((found) => found.key)).toEqual(['default/b']);
    store.begin();
    store.commit('7');
    expect(store.malformed()).toEqual([]);
  });

  it('has no identity at times', () => {
    const { store, malformed } = newStore();
    store.set({ kind: 'Widget' });
    store.set('nonsense');
    expect(malformed).toHaveLength(2);
  });
});

describe('Store, indexes', () => {
  it('follows changes', () => {
    const { store } = newStore({ indexes: { color: (widget) => [widget.spec.color ?? 'none'] } });
    const names = (color: string) => store.byIndex('color', color).map((widget) => widget.metadata.name);
    store.set(object('a', 'u1', 5, { size: 1, color: 'red' }));
    store.set(object('b', 'u2', 6, { size: 1, color: 'red' }));
    expect([names('red'), names('blue')]).toEqual([['a', 'b'], []]);
    store.set(object('a', 'u1', 7, { size: 1, color: 'blue' }));
    expect([names('red'), names('blue')]).toEqual([['b'], ['a']]);
    store.remove(object('b', 'u2', 8));
    expect(names('red')).toEqual([]);
  });

  it('gives the same list until something changes', () => {
    const { store } = newStore();
    store.set(object('a', 'u1', 5));
    const list = store.list();
    expect(store.list()).toBe(list);
    store.set(object('a', 'u1', 5));
    expect(store.list()).toBe(list);
    store.set(object('a', 'u1', 6));
    expect(store.list()).not.toBe(list);
  });
});

describe('compareVersions', () => {
  it('compares numbers of any length, and nothing else', () => {
    expect(compareVersions('9', '10')).toBeLessThan(0);
    expect(compareVersions('90071992547409921', '90071992547409920')).toBeGreaterThan(0);
    expect(compareVersions('7', '7')).toBe(0);
    expect(compareVersions('x', 'x')).toBe(0);
    expect(compareVersions('07', '8')).toBeUndefined();
    expect(compareVersions('x', '8')).toBeUndefined();
  });
});
