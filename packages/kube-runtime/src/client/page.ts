import { objectField, parseJson, textField } from '../json.ts';
import type { Pacer } from '../pace.ts';
import { ItemSplitter } from './item-splitter.ts';

/** The list's own metadata, at the end of a page. Without `continueToken` it was the last page. */
export type PageEnd =
  | { readonly tag: 'page'; readonly resourceVersion: string; readonly continueToken?: string }
  | { readonly tag: 'malformed'; readonly message: string };

/** The largest piece that is looked at between two turns of the event loop. */
const PIECE_BYTES = 65_536;

/** Reads one page of a LIST, item by item, without stalling the event loop. Throws when the connection breaks. */
export async function readPage(
  body: AsyncIterable<Uint8Array>,
  pacer: Pacer,
  onItem: (value: unknown) => void,
): Promise<PageEnd> {
  let problem: string | undefined;
  let texts: string[] = [];
  const splitter = new ItemSplitter((text) => texts.push(text));
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      splitter.push(chunk.subarray(at, at + PIECE_BYTES));
      for (const text of texts) {
        const item = parseJson(text);
        if (item.tag === 'ok') onItem(item.value);
        else problem ??= `an item of the list is no JSON: ${item.message}`;
        await pacer.pause();
      }
      texts = [];
      await pacer.pause();
    }
  }
  return problem === undefined ? pageEnd(splitter.envelope()) : { tag: 'malformed', message: problem };
}

function pageEnd(envelope: string | undefined): PageEnd {
  if (envelope === undefined) return { tag: 'malformed', message: 'items of the list: expected objects only' };
  const parsed = parseJson(envelope);
  if (parsed.tag === 'malformed') return { tag: 'malformed', message: `the list is no JSON: ${parsed.message}` };
  const metadata = objectField(parsed.value, 'metadata');
  const resourceVersion = textField(metadata, 'resourceVersion');
  if (resourceVersion === undefined) {
    return { tag: 'malformed', message: 'metadata.resourceVersion of the list: expected text, found nothing' };
  }
  const continueToken = textField(metadata, 'continue');
  return {
    tag: 'page',
    resourceVersion,
    ...(continueToken !== undefined && continueToken !== '' && { continueToken }),
  };
}
