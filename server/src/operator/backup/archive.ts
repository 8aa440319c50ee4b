/**
 * The file of a backup: a magic line, then a tar archive, compressed, encrypted under the newest master key (OPER-90). Its
 * last entry, `manifest.json`, has the digest of every other one.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import tar from 'tar-stream'
import type { Keyring } from '../../crypto/keyring.ts'
import { UnsealError } from '../../crypto/seal.ts'
import { sealStream, unsealStream } from '../../crypto/sealed-stream.ts'
import { writeNewFile } from '../../infra/files/new-file.ts'
import { BackupError } from './backup-error.ts'

type Bytes = AsyncIterable<Buffer>

/** A file with so many bytes, or a folder. */
export type Entry = Readonly<{ path: string; size: number; bytes: Bytes } | { folder: string }>

export type FileDigest = Readonly<{ path: string; size: number; sha256: string }>

export type Manifest = Readonly<{
  version: 1
  /** The newest migration of the database. */
  schema: number
  createdAt: string
  keyIds: readonly string[]
  files: readonly FileDigest[]
}>

const MAGIC = Buffer.from('florin-backup/1\n')
const MANIFEST = 'manifest.json'

const sealedFor = (keyring: Keyring) => ({ keyring, purpose: 'backup', context: 'florin-backup' })

/** Writes the archive to a new file; resolves once every byte is on disk. */
export async function writeArchive(
  path: string,
  {
    keyring,
    entries,
    about,
  }: {
    keyring: Keyring
    entries: AsyncIterable<Entry>
    about: Omit<Manifest, 'version' | 'files' | 'keyIds'>
  },
): Promise<Manifest> {
  const pack = tar.pack()
  const stop = new AbortController()
  const filling = fill(pack, entries, {
    about: { version: 1, keyIds: keyring.keyIds, ...about },
    signal: stop.signal,
  })
  // The reader below hears of a failure when the archive ends early.
  filling.catch((error: Error) => pack.destroy(error))
  try {
    await pipeline(
      Readable.from(pack),
      createZstdCompress(),
      (plain: Bytes) => sealStream(sealedFor(keyring), plain),
      (sealed: Bytes) => writeNewFile(path, withMagic(sealed)),
    )
    return await filling
  } finally {
    // Nobody reads any more: the entries end too, and with them the database's own backup.
    stop.abort()
    await filling.catch(() => undefined)
  }
}

async function* withMagic(sealed: Bytes): AsyncGenerator<Buffer> {
  yield MAGIC
  yield* sealed
}

type Filling = Readonly<{ about: Omit<Manifest, 'files'>; signal: AbortSignal }>

async function fill(
  pack: tar.Pack,
  entries: AsyncIterable<Entry>,
  { about, signal }: Filling,
): Promise<Manifest> {
  const files: FileDigest[] = []
  for await (const entry of entries) {
    if ('folder' in entry) pack.entry({ name: entry.folder, type: 'directory' })
    else files.push(await add(pack, entry, signal))
  }
  const manifest = { ...about, files }
  pack.entry({ name: MANIFEST }, JSON.stringify(manifest))
  pack.finalize()
  return manifest
}

/** Waits for the reader: a database does not fit into memory. */
async function add(
  pack: tar.Pack,
  { path, size, bytes }: Exclude<Entry, { folder: string }>,
  signal: AbortSignal,
): Promise<FileDigest> {
  const entry = pack.entry({ name: path, size })
  // The pack ends its open entry with its own failure, which the reader hears of.
  entry.on('error', () => undefined)
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    hash.update(chunk)
    if (!entry.write(chunk)) await once(entry, 'drain', { signal })
  }
  const writable = entry as NodeJS.WritableStream
  const finished = once(writable, 'finish', { signal })
  writable.end()
  await finished
  return { path, size, sha256: hash.digest('hex') }
}

export type Stored = Readonly<{ name: string; isFolder: boolean; bytes: Bytes }>

/**
 * Reads a backup from its beginning to its end and hands over each entry; answers the manifest once every entry has the
 * digest it lists. Whatever was handed over before may be trusted only then.
 */
export async function readArchive(
  path: string,
  keyring: Keyring,
  take: (stored: Stored) => Promise<void>,
): Promise<Manifest> {
  const failures: Error[] = []
  try {
    return await readEntries({ path, keyring, failed: (error) => failures.push(error) }, take)
  } catch (error) {
    // A stream that is ended from outside says only that; what came first is why.
    const cause = failures[0] ?? (error as Error)
    if (!(cause instanceof UnsealError)) throw cause
    throw new BackupError(`${path} was altered, or is of another master key: ${cause.message}`)
  }
}

type Reading = Readonly<{ path: string; keyring: Keyring; failed: (error: Error) => void }>

async function readEntries(
  { path, keyring, failed }: Reading,
  take: (stored: Stored) => Promise<void>,
): Promise<Manifest> {
  if (!(await isBackup(path))) throw new BackupError(`${path} is not a backup of Florin.`)
  const sealed = createReadStream(path, { start: MAGIC.length })
  const opened = Readable.from(unsealStream(sealedFor(keyring), sealed))
  const plain = opened.pipe(createZstdDecompress())
  const extract = tar.extract()
  // Failures travel down to where the entries are read.
  opened.on('error', (error) => {
    failed(error)
    plain.destroy(error)
  })
  plain.on('error', (error) => extract.destroy(error))
  plain.pipe(extract)
  const found = new Map<string, FileDigest>()
  let manifest: Manifest | undefined
  for await (const entry of extract) {
    const { name, type } = entry.header
    if (name === MANIFEST) {
      manifest = JSON.parse(
        Buffer.concat(await Array.fromAsync(entry as Bytes)).toString(),
      ) as Manifest
    } else if (type === 'directory') {
      await take({ name, isFolder: true, bytes: entry as Bytes })
      entry.resume()
    } else found.set(name, await digestWhile(name, entry as Bytes, take))
  }
  return checked(path, manifest, found)
}

async function digestWhile(
  name: string,
  entry: Bytes,
  take: (stored: Stored) => Promise<void>,
): Promise<FileDigest> {
  const hash = createHash('sha256')
  let size = 0
  const watched = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of entry) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  await take({ name, isFolder: false, bytes: watched() })
  return { path: name, size, sha256: hash.digest('hex') }
}

function checked(
  path: string,
  manifest: Manifest | undefined,
  found: ReadonlyMap<string, FileDigest>,
): Manifest {
  if (manifest === undefined) throw new BackupError(`${path} ends before its manifest.`)
  const isSame = (a: FileDigest, b: FileDigest | undefined): boolean =>
    b !== undefined && a.size === b.size && a.sha256 === b.sha256
  const wrong = manifest.files.find((listed) => !isSame(listed, found.get(listed.path)))
  if (wrong) throw new BackupError(`${wrong.path} in ${path} is not what was backed up.`)
  return manifest
}

export async function isBackup(path: string): Promise<boolean> {
  let file: FileHandle | undefined
  try {
    file = await open(path, 'r')
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0)
    return buffer.equals(MAGIC)
  } catch {
    // What cannot be read is none of ours, as what somebody else keeps in the folder.
    return false
  } finally {
    await file?.close()
  }
}
