import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { expectStatus } from '../../../test/kit/api.ts'
import { eventuallyChained } from '../../../test/kit/database/chained.ts'
import { rowsReadBy } from '../../../test/kit/database/rows-read.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { parseId } from '../../kernel/ids.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { chainQueued, lockChains } from './chain-store.ts'
import { chainPending } from './chain-worker.ts'

const kit = await startOwnKit()
const { db } = kit.florin.deps

type Link = Readonly<{ seq: bigint; entryId: string; hash: Buffer }>

const linksOf = (platformId: string): Promise<Link[]> =>
  db.read.many<Link>(
    sql`select seq, entry_id, hash from audit_chain
        where platform_id = ${parseId('platform', platformId) ?? ''} order by seq`,
  )

type Entry = Readonly<Record<string, string>>

test('OPER-50 OPER-51 every platform has a chain without gaps, which another program can compute', async () => {
  const { api, platformId } = await kit.platform()
  const token = { name: 'one', permissions: ['VIEW'] }
  for (let n = 0; n < 5; n += 1) expectStatus(await api.post('/tokens', token), 201)
  // By the worker alone.
  await eventually(async () => assert.equal((await linksOf(platformId)).length, 6))

  const entries = (await operate<Entry[]>(kit, `audit list --platform ${platformId}`)).toReversed()
  const links = await linksOf(platformId)
  assert.deepEqual(
    links.map(({ seq, entryId }) => [Number(seq), entryId]),
    entries.map(({ entryId }, at) => [at + 1, entryId]),
  )
  let previous = Buffer.alloc(32)
  for (const [at, entry] of entries.entries()) {
    // Members in the order of their names, written out here: a second implementation.
    const { action, actor, entryId, requestId, resource } = entry
    const json =
      `{"action":${JSON.stringify(action)},"actor":${JSON.stringify(actor)},` +
      `"at":${JSON.stringify((entry['at'] ?? '').replace('Z', '000Z'))},"id":"${entryId}",` +
      `"platformId":"${platformId}","requestId":"${requestId}",` +
      `${resource === undefined ? '' : `"resource":${JSON.stringify(resource)},`}"seq":${at + 1}}`
    previous = createHash('sha256').update(previous).update(json).digest()
    assert.equal(entry['seq'], at + 1)
    assert.equal(entry['hash'], previous.toString('hex'))
  }
  const house = await db.read.one<{ count: bigint }>(
    sql`select count(*) from audit_chain c join platforms p on p.id = c.platform_id where p.kind = 'HOUSE'`,
  )
  await operate(kit, 'dashboard sign-out-all')
  await eventuallyChained(kit)
  const later = await db.read.one<{ count: bigint }>(
    sql`select count(*) from audit_chain c join platforms p on p.id = c.platform_id where p.kind = 'HOUSE'`,
  )
  assert.equal(later.count, house.count + 1n, 'the house platforms have chains too')
})

test('OPER-50 workers that race append every entry once', async () => {
  const { api, platformId } = await kit.platform()
  const token = { name: 'raced', permissions: ['VIEW'] }
  const posts = Array.from({ length: 30 }, () => api.post('/tokens', token))
  const workers = Array.from({ length: 5 }, () => chainPending(kit.florin.deps))
  for (const answer of await Promise.all(posts)) expectStatus(answer, 201)
  await Promise.all(workers)
  await eventuallyChained(kit)
  const links = await linksOf(platformId)
  assert.deepEqual(
    links.map(({ seq }) => Number(seq)),
    links.map((_, at) => at + 1),
  )
  assert.equal(new Set(links.map(({ entryId }) => entryId)).size, links.length)
  assert.ok(links.length >= 30)
})

test('OPER-50 chaining looks at the entries that wait, however many their platform has', async () => {
  const { api, platformId } = await kit.platform()
  const id = parseId('platform', platformId) ?? ''
  await db.read.run(
    sql`insert into audit_entries (platform_id, id, at, actor, action, request_id)
        select ${id}, gen_random_uuid(), now(), 'test', 'test', 'test' from generate_series(1, 2000)`,
  )
  await eventuallyChained(kit)
  const undone = new Error('undone')
  const rows = await new Promise<number>((resolve, reject) => {
    const trial = db.transaction(async (tx) => {
      // The worker of the service leaves what waits to who holds the lock.
      assert.ok(await lockChains(tx))
      for (let n = 0; n < 3; n += 1)
        expectStatus(await api.post('/tokens', { name: 'one', permissions: ['VIEW'] }), 201)
      resolve(
        await rowsReadBy(tx, (watched) => chainQueued(watched, { limit: 500, now: new Date() })),
      )
      throw undone
    })
    trial.catch((error: unknown) => void (error === undone || reject(error as Error)))
  })
  assert.ok(rows > 0 && rows < 100, `${rows} rows`)
  await eventuallyChained(kit)
})

test('OPER-51 OPER-53 the database and the verifier write every character alike', async () => {
  const { platformId } = await kit.platform()
  const id = parseId('platform', platformId) ?? ''
  // PostgreSQL keeps every character but U+0000.
  const texts = Array.from({ length: 0x2100 - 1 }, (_, at) => String.fromCharCode(at + 1))
  await db.read.run(
    sql`insert into audit_entries (platform_id, id, at, actor, action, resource, request_id)
        values (${id}, gen_random_uuid(), '2026-01-01 00:00:00.120001Z', ${texts.join('')}, 'a "quote" and a \\', '', '😀')`,
  )
  await eventuallyChained(kit)
  const verified = await operate<{ ok: boolean }>(kit, `audit verify --platform ${platformId}`)
  assert.equal(verified.ok, true)
})

test('OPER-51 a note lies beside its entry with a salt of 16 bytes, and its digest in the entry', async () => {
  const { platformId } = await kit.platform()
  const id = parseId('platform', platformId) ?? ''
  // As a process of an older build writes it.
  await db.read.run(
    sql`insert into audit_entries (platform_id, id, at, actor, action, note, request_id)
        values (${id}, gen_random_uuid(), '2026-01-01', 'operator:florin', 'older', 'Été', 'r')`,
  )
  type Noted = Readonly<{
    entryId: string
    salt: Buffer
    note: string
    kept: string | null
    noteDigest: Buffer
  }>
  const noted = await db.read.one<Noted>(
    sql`select n.entry_id, n.salt, n.note, e.note as kept, e.note_digest from audit_notes n
          join audit_entries e on e.platform_id = n.platform_id and e.id = n.entry_id
        where n.platform_id = ${id}`,
  )
  assert.equal(noted.salt.length, 16)
  assert.deepEqual([noted.note, noted.kept], ['Été', null])
  const digest = createHash('sha256').update(noted.salt).update('Été').digest()
  assert.deepEqual(noted.noteDigest, digest)
  await eventuallyChained(kit)

  const erased = await db.read.one<{ count: bigint }>(
    sql`select erase_audit_notes(${id}, ${[noted.entryId]}::uuid[], 'asked for', ${new Date()}) as count`,
  )
  assert.equal(erased.count, 1n)
  const left = await db.read.one<Record<string, unknown>>(
    sql`select salt, note, erased_because from audit_notes where platform_id = ${id}`,
  )
  assert.deepEqual({ ...left }, { salt: null, note: null, erasedBecause: 'asked for' })
})

test('OPER-50 CORE-81 entries and notes from before the chain are taken over once it is there', async () => {
  const { api, platformId } = await kit.platform()
  const id = parseId('platform', platformId) ?? ''
  expectStatus(await api.post('/tokens', { name: 'before', permissions: ['VIEW'] }), 201)
  await eventuallyChained(kit)
  const before = await linksOf(platformId)
  // The state of a database in which no entry is chained, and notes are still in the entries.
  await db.transaction(async (tx) => {
    await tx.run(sql`alter table audit_entries disable trigger user`)
    await tx.run(sql`delete from audit_chain where platform_id = ${id}`)
    await tx.run(sql`update audit_entries set note = 'kept' where platform_id = ${id}`)
    const moved = new URL('../../../migrations/0056-chain-what-is-there.sql', import.meta.url)
    for (const statement of (await readFile(moved, 'utf8'))
      .split(';\n')
      .filter((one) => one.trim()))
      await tx.run({ parts: [statement], values: [] })
    await tx.run(sql`alter table audit_entries enable trigger user`)
  })
  await eventuallyChained(kit)
  const after = await linksOf(platformId)
  assert.deepEqual(
    after.map(({ entryId }) => entryId).toSorted(),
    before.map(({ entryId }) => entryId).toSorted(),
  )
  const shown = await operate<Entry[]>(kit, `audit list --platform ${platformId}`)
  for (const entry of shown) assert.equal(entry['note'], 'kept')
})
