/** Audit entries as JSON lines, for the export and the sink (OPER-55). */
import { resolve } from 'node:path'
import { formatId, type Id } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import { writeNewFile } from '../../infra/files/new-file.ts'
import * as store from './links-store.ts'

const PAGE = 2_000

/** With the salt, so that a reader can compute every hash again; of an entry that is gone, its place alone. */
export function lineOf({ entry, seq, entryId, hash, salt, note, ...link }: store.LinkRow): string {
  const shown = entry
    ? { ...store.chainedEntry(entry, seq), clientRequestId: entry.clientRequestId ?? undefined }
    : { platformId: formatId('platform', link.platformId), seq: Number(seq), id: entryId }
  return `${JSON.stringify({
    ...shown,
    note: note ?? undefined,
    salt: salt?.toString('hex'),
    hash: hash.toString('hex'),
  })}\n`
}

type ExportRequest = Readonly<{ platformId: Id<'platform'> | null; from: bigint; to: string }>

/** Into a file that is not there yet. */
export async function exportAudit(
  { db }: Pick<Deps, 'db'>,
  { platformId, from, to }: ExportRequest,
): Promise<Readonly<{ path: string; entries: number }>> {
  const path = resolve(to)
  let entries = 0
  const lines = async function* (): AsyncGenerator<string> {
    for (const { id } of await store.listPlatformIds(db.read, platformId)) {
      for (let seq = from - 1n; ;) {
        const links = await store.listLinks(db.read, { platformId: id, seq, limit: PAGE })
        yield links.map(lineOf).join('')
        entries += links.length
        seq = links.at(-1)?.seq ?? seq
        if (links.length < PAGE) break
      }
    }
  }
  await writeNewFile(path, lines())
  return { path, entries }
}
