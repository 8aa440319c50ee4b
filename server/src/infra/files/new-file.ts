import { mkdir, open, rm } from 'node:fs/promises'
import { makePath } from './make-path.ts'

/** Why a file cannot be written or read, for the person who named its path. */
export class FileError extends Error {
  override name = 'FileError'
}

const cannotWrite =
  (path: string) =>
  ({ message }: Error): never => {
    throw new FileError(`${path} cannot be written (${message}).`)
  }

/** Makes a folder for its owner alone; one that is there already is refused unless `mayExist`. Fails: FileError. */
export async function makeFolder(path: string, { mayExist = false } = {}): Promise<void> {
  await (mayExist ? makePath(path) : mkdir(path, { mode: 0o700 })).catch(cannotWrite(path))
}

/**
 * Writes a file that must not exist yet, for its owner alone; resolves once every byte is on disk. A failed run leaves no
 * file. Fails: FileError.
 */
export async function writeNewFile(
  path: string,
  chunks: AsyncIterable<Buffer | string> | readonly Buffer[],
): Promise<void> {
  const failed = cannotWrite(path)
  const file = await open(path, 'wx', 0o600).catch(failed)
  try {
    for await (const chunk of chunks) await file.writeFile(chunk).catch(failed)
    await file.sync().catch(failed)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
