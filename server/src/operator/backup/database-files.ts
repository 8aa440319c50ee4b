/** A consistent physical copy of the embedded database while it serves: PostgreSQL's own backup start and stop. */
import { randomBytes } from 'node:crypto'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Entry } from './archive.ts'
import { keepLog, startCopy, stopCopy } from './backup-store.ts'

/** Folders whose contents PostgreSQL makes again at its start. */
const EMPTIED = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots'],
  ...['pg_stat_tmp', 'pg_subtrans'],
])
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+(_.*)?|backup_label|tablespace_map)$/
const CONTROL = 'global/pg_control'
const CHUNK_BYTES = 1024 * 1024

/** The entries of `cluster`, placed below `prefix`. What is committed before the first one is asked for is in the copy. */
export async function* databaseEntries(
  url: string,
  { cluster, prefix }: { cluster: string; prefix: string },
): AsyncGenerator<Entry> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await keepLog(client, `florin_backup_${randomBytes(6).toString('hex')}`)
    const first = await startCopy(client)
    yield* filesIn(cluster, prefix)
    // Last: what it says of the database was true when everything else had been copied.
    yield await fileEntry(join(cluster, CONTROL), `${prefix}/${CONTROL}`)
    const { wal: last, label } = await stopCopy(client)
    yield textEntry(`${prefix}/backup_label`, label)
    for (const name of await segments(cluster, first, last)) {
      yield await fileEntry(join(cluster, 'pg_wal', name), `${prefix}/pg_wal/${name}`)
    }
  } finally {
    await client.end()
  }
}

async function segments(cluster: string, first: string, last: string): Promise<string[]> {
  const names = await readdir(join(cluster, 'pg_wal'))
  return names.filter((name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last).sort()
}

async function* filesIn(cluster: string, prefix: string, inner = ''): AsyncGenerator<Entry> {
  for (const entry of await readdir(join(cluster, inner), { withFileTypes: true })) {
    const name = inner === '' ? entry.name : `${inner}/${entry.name}`
    if (LEFT_OUT.test(entry.name) || name === CONTROL) continue
    if (entry.isDirectory()) {
      yield { folder: `${prefix}/${name}` }
      if (!EMPTIED.has(name)) yield* filesIn(cluster, prefix, name)
    } else if (entry.isFile()) {
      const file = await fileEntry(join(cluster, name), `${prefix}/${name}`).catch(unlessGone)
      if (file) yield file
    }
  }
  if (inner === '') yield { folder: `${prefix}/pg_wal/archive_status` }
}

/** A table that was dropped meanwhile is no part of the copy: the log says so when it is replayed. */
function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

const textEntry = (path: string, text: string): Entry => {
  const bytes = Buffer.from(text)
  return {
    path,
    size: bytes.length,
    bytes: (async function* () {
      yield bytes
    })(),
  }
}

/** As many bytes as the file has now: what is added later is in the log, and what is cut off is filled with zeros. */
export async function fileEntry(path: string, name: string): Promise<Entry> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  const bytes = async function* (): AsyncGenerator<Buffer> {
    try {
      for (let at = 0; at < size;) {
        const wanted = Math.min(CHUNK_BYTES, size - at)
        const { bytesRead, buffer } = await file.read(Buffer.alloc(wanted), 0, wanted, at)
        if (bytesRead === 0) yield Buffer.alloc(wanted)
        else yield buffer.subarray(0, bytesRead)
        at += bytesRead === 0 ? wanted : bytesRead
      }
    } finally {
      await file.close()
    }
  }
  return { path: name, size, bytes: bytes() }
}
