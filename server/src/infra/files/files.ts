/**
 * Uploaded files, encrypted, in the data folder: `files/<last two characters of the id>/<id>`. Where several machines
 * serve one database the data folder is a shared one.
 *
 * Which of them are kept, and by what: stored-files.ts.
 */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { keyIdOfStream, sealStream, unsealStream } from '../../crypto/sealed-stream.ts'
import { UnsealError, type Keyring } from '../../crypto/seal.ts'
import { isUuid } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'

export type FileStore = Readonly<{
  /** Resolves once every byte is on disk; a failure of the source leaves nothing behind. */
  write(id: string, bytes: AsyncIterable<Buffer>): Promise<void>
  /** From the beginning, or from a byte further on. */
  read(id: string, options?: { from?: number }): AsyncIterable<Buffer>
  /** Seals a file again where another key than the newest protects it; a read that is under way goes on. */
  reseal(id: string): Promise<'RESEALED' | 'FRESH' | 'UNOPENED'>
  /** The id of the master key that protects a file; undefined where there is no such file. */
  keyIdOf(id: string): Promise<string | undefined>
  /** Nothing happens where there is no such file. */
  erase(id: string): Promise<void>
  /** The files last written before an instant. */
  listBefore(instant: Date): AsyncIterable<string>
}>

const PURPOSE = 'files'

export function openFileStore({
  dataDir,
  keyring,
}: {
  dataDir: string
  keyring: Keyring
}): FileStore {
  const root = join(dataDir, 'files')
  const folderOf = (id: string): string => join(root, id.slice(-2))
  const pathOf = (id: string): string => {
    invariant(isUuid(id), 'files are named by a uuid')
    return join(folderOf(id), id)
  }
  const erase = (id: string): Promise<void> => rm(pathOf(id), { force: true })
  const read = (id: string, options?: { from?: number }): AsyncIterable<Buffer> =>
    unsealStream({ keyring, purpose: PURPOSE, context: id }, createReadStream(pathOf(id)), options)
  return {
    erase,
    read,
    async reseal(id) {
      const sealed = { keyring, purpose: PURPOSE, context: id }
      const aside = `${pathOf(id)}.resealed`
      try {
        if ((await keyIdOfStream(createReadStream(pathOf(id)))) === keyring.newestKeyId)
          return 'FRESH'
        // Left behind by a run that was stopped.
        await rm(aside, { force: true })
        await writeThrough(aside, sealStream(sealed, read(id)))
        await rename(aside, pathOf(id))
        await syncFolder(folderOf(id))
        return 'RESEALED'
      } catch (error) {
        await rm(aside, { force: true })
        if (error instanceof UnsealError) return 'UNOPENED'
        // Erased meanwhile: nothing is left to be sealed.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'FRESH'
        throw error
      }
    },
    keyIdOf: (id) =>
      keyIdOfStream(createReadStream(pathOf(id))).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      }),
    async write(id, bytes) {
      const path = pathOf(id)
      await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
      try {
        await writeThrough(path, sealStream({ keyring, purpose: PURPOSE, context: id }, bytes))
        await syncFolder(folderOf(id))
      } catch (error) {
        await erase(id)
        throw error
      }
    },
    async *listBefore(instant) {
      for (const id of await namesIn(root)) {
        const found = await stat(pathOf(id)).catch(() => undefined)
        if (found && found.mtime < instant) yield id
      }
    },
  }
}

/** A file that exists already is never written over. */
async function writeThrough(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of bytes) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Without it a power cut may forget the name of a file whose bytes are on disk. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function namesIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile() && isUuid(entry.name)).map(({ name }) => name)
}
