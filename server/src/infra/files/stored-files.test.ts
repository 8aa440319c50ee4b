import assert from 'node:assert/strict'
import { copyFile, readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { UnsealError } from '../../crypto/seal.ts'
import { mustParseId, newUuid } from '../../kernel/ids.ts'
import { inWork } from '../work/in-work.ts'
import { findPlatform } from '../platforms.ts'
import { eraseFile } from './erase-file.ts'
import { dropFile, keepFile, sweepFiles } from './stored-files.ts'
import type { Work } from '../work/work.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const { platformId } = await kit.platform()
const platform = await findPlatform(deps.db.read, mustParseId('platform', platformId))

const TEXT = Buffer.from('the bytes of a passport')

async function write(bytes: Iterable<Buffer> = [TEXT]): Promise<string> {
  const id = newUuid()
  await deps.files.write(id, Readable.from(bytes))
  return id
}

const read = async (id: string): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(deps.files.read(id)))

const pathOf = (id: string): string => join(kit.dataDir, 'files', id.slice(-2), id)

const exists = (id: string): Promise<boolean> =>
  stat(pathOf(id)).then(
    () => true,
    () => false,
  )

function inPlatform(body: (work: Work) => void | Promise<void>): Promise<void> {
  assert.ok(platform)
  const caller = { platform, actor: { kind: 'system', name: 'test' }, requestId: 'test' } as const
  return inWork(deps, caller, async (work) => body(work))
}

const keep = (id: string) =>
  inPlatform((work) => keepFile(work, { id, bytes: TEXT.length, digest: Buffer.alloc(32) }))

const age = (id: string, hours: number) => {
  const then = new Date(Date.now() - hours * 3_600_000)
  return utimes(pathOf(id), then, then)
}

test('CORE-90 a file is read back as it was written, and is neither readable nor open to others on disk', async () => {
  const id = await write()
  assert.deepEqual(await read(id), TEXT)
  const { mode } = await stat(pathOf(id))
  assert.equal(mode & 0o077, 0)
  await assert.rejects(deps.files.write(id, Readable.from([TEXT])), { code: 'EEXIST' })
})

test('CORE-90 a file under another id does not open', async () => {
  const id = await write()
  const other = await write()
  await deps.files.erase(other)
  await copyFile(pathOf(id), pathOf(other))
  await assert.rejects(read(other), UnsealError)
})

test('DOC-9 a source that fails leaves no file', async () => {
  function* failing(): Generator<Buffer> {
    yield TEXT
    throw new Error('the sender hung up')
  }
  const before = await readdir(kit.dataDir, { recursive: true })
  await assert.rejects(write(failing()), /hung up/)
  const left = (await readdir(kit.dataDir, { recursive: true })).filter((name) =>
    /[0-9a-f-]{36}$/.test(name),
  )
  assert.ok(left.every((name) => before.includes(name)))
})

test('DOC-9 a file that no row keeps is dropped, one that a row keeps is not', async () => {
  const [kept, refused] = [await write(), await write()]
  await keep(kept)
  await dropFile(deps, kept)
  await dropFile(deps, refused)
  assert.deepEqual([await exists(kept), await exists(refused)], [true, false])
})

test('DOC-9 the sweeper removes what a crash left behind, and neither what is kept nor what is young', async () => {
  const [kept, orphan, young] = [await write(), await write(), await write()]
  await keep(kept)
  for (const id of [kept, orphan]) await age(id, 2)
  assert.ok((await sweepFiles(deps)) >= 1)
  const left = [await exists(kept), await exists(orphan), await exists(young)]
  assert.deepEqual(left, [true, false, true])
})

test('DOC-13 an erased file is gone from the disk soon after the commit', async () => {
  const id = await write()
  await keep(id)
  await inPlatform((work) => eraseFile(work, id))
  await eventually(async () => assert.equal(await exists(id), false))
})
