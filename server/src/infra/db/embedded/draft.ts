/**
 * Creates folders as drafts and moves them into place in one step: a kill in the middle leaves no half folder in place,
 * and several processes that create the same one all use the first.
 */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAlive } from './processes.ts'

const DRAFT = /\.new-(\d+)-[0-9a-f]+$/
const IN_PLACE_ALREADY = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR']

/** Calls `fill` with an empty private folder beside `path`, and moves it to `path`. A missing parent is readable for all. */
export async function makeFolderAt(
  path: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(path)
  const isNew = (await mkdir(parent, { recursive: true })) !== undefined
  if (isNew) await chmod(parent, 0o755)
  await removeLeftDrafts(parent)
  const suffix = `.new-${process.pid}-${randomBytes(4).toString('hex')}`
  const draft = join(parent, basename(path) + suffix)
  await mkdir(draft, { mode: 0o700 })
  try {
    await fill(draft)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!isInPlaceAlready(error)) throw error
  }
}

export const isInPlaceAlready = (error: unknown): boolean =>
  IN_PLACE_ALREADY.includes((error as NodeJS.ErrnoException).code ?? '')

async function removeLeftDrafts(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const maker = DRAFT.exec(name)?.[1]
    if (maker === undefined || isAlive(Number(maker))) continue
    await rm(join(parent, name), { recursive: true, force: true })
  }
}
