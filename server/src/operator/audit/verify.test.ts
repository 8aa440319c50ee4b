import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { expectStatus } from '../../../test/kit/api.ts'
import { eventuallyChained } from '../../../test/kit/database/chained.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'
import { mustParseId } from '../../kernel/ids.ts'
import { createLog } from '../../infra/logging/log.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { createAnchors } from './anchors.ts'
import type { VerifiedChain } from './verify.ts'

const kit = await startOwnKit()
const { deps } = kit.florin
const { db } = deps

type Verified = Readonly<{ ok: boolean; platforms: readonly VerifiedChain[] }>

const verify = (rest: string): Promise<Verified> => operate<Verified>(kit, `audit verify ${rest}`)

async function verifyOne(platformId: string, rest = ''): Promise<VerifiedChain> {
  const { ok, platforms } = await verify(`--platform ${platformId}${rest}`)
  assert.equal(platforms.length, 1)
  const [found] = platforms
  assert.ok(found)
  assert.equal(ok, found.problems.length === 0)
  return found
}

async function platformWith(
  entries: number,
): Promise<Readonly<{ platformId: string; id: string }>> {
  const { api, platformId } = await kit.platform()
  for (let n = 1; n < entries; n += 1) {
    expectStatus(await api.post('/tokens', { name: 'one', permissions: ['VIEW'] }), 201)
  }
  await eventuallyChained(kit)
  return { platformId, id: mustParseId('platform', platformId) }
}

/** The anchors that the service says at its end, as its log has them. */
async function sayAnchors(): Promise<string> {
  let said = ''
  const written = new Writable({
    write: (chunk, _encoding, done) => {
      said += String(chunk)
      done()
    },
  })
  const log = createLog({ logLevel: 'info' }, written)
  await createAnchors({ ...deps, log }, { inBackground: true }).stop()
  return said
}

test('OPER-53 a changed entry is named; its tail is missed with an anchor alone', async () => {
  const { platformId, id } = await platformWith(8)
  const whole = await verifyOne(platformId)
  assert.deepEqual([whole.entries, whole.head?.seq, whole.problems], [8, 8, []])
  const anchors = join(kit.dataDir, 'anchors.log')
  await writeFile(anchors, `not JSON\n{"other":1}\nnull\n${await sayAnchors()}`)
  assert.equal((await verify(`--anchor ${anchors}`)).ok, true, 'the log is an anchor file')
  await assert.rejects(verify(`--anchor ${import.meta.filename}`), /holds no anchor/)

  const at5 = sql`platform_id = ${id} and id = (
    select entry_id from audit_chain where platform_id = ${id} and seq = 5)`
  await db.read.run(sql`update audit_entries set actor = actor || '!' where ${at5}`)
  const [changed, ...others] = (await verifyOne(platformId)).problems
  assert.deepEqual([changed?.problem, changed?.seq, others], ['CHANGED', 5, []])
  await db.read.run(sql`update audit_entries set actor = rtrim(actor, '!') where ${at5}`)
  assert.deepEqual((await verifyOne(platformId)).problems, [])

  await db.transaction(async (tx) => {
    await tx.run(sql`delete from audit_entries e using audit_chain c where c.platform_id = ${id}
      and c.seq > 5 and e.platform_id = c.platform_id and e.id = c.entry_id`)
    await tx.run(sql`delete from audit_chain where platform_id = ${id} and seq > 5`)
  })
  assert.deepEqual((await verifyOne(platformId)).problems, [])
  assert.deepEqual((await verifyOne(platformId, ` --anchor ${anchors}`)).problems, [
    { problem: 'SHORTER_THAN_ANCHOR', seq: 8 },
  ])
  assert.equal((await verify(`--anchor ${anchors}`)).ok, false)
})

test('OPER-53 what is missing, inserted, out of order or rewritten is named', async () => {
  const { platformId, id } = await platformWith(7)
  const entryAt = async (seq: number): Promise<string> =>
    (
      await db.read.one<{ entryId: string }>(
        sql`select entry_id from audit_chain where platform_id = ${id} and seq = ${seq}`,
      )
    ).entryId
  const anchors = join(kit.dataDir, 'before.log')
  await writeFile(anchors, await sayAnchors())
  const [second, third] = [await entryAt(2), await entryAt(3)]
  await db.transaction(async (tx) => {
    await tx.run(sql`delete from audit_chain where platform_id = ${id} and seq in (2, 3)`)
    await tx.run(sql`insert into audit_chain select ${id}, 2, ${third}, hash, chained_at from audit_chain
      where platform_id = ${id} and seq = 1`)
    await tx.run(
      sql`delete from audit_entries where platform_id = ${id} and id = ${await entryAt(5)}`,
    )
    await tx.run(sql`insert into audit_entries (platform_id, id, at, actor, action, request_id)
      values (${id}, '0199a1b2-c3d4-7e5f-8a6b-0123456789ab', '2026-01-01', 'nobody', 'slipped in', 'r')`)
    await tx.run(sql`delete from audit_pending where platform_id = ${id}`)
  })
  const { problems } = await verifyOne(platformId, ` --anchor ${anchors}`)
  assert.deepEqual(problems, [
    { problem: 'CHANGED', seq: 2, entryId: third },
    { problem: 'MISSING', seq: 3 },
    { problem: 'MISSING', seq: 5, entryId: await entryAt(5) },
    { problem: 'NOT_CHAINED', entryId: '0199a1b2-c3d4-7e5f-8a6b-0123456789ab', count: 1 },
  ])
  assert.notEqual(second, third)
  const to = join(kit.dataDir, 'with-gap.jsonl')
  await operate(kit, `audit export --platform ${platformId} --to ${to}`)
  const gap = (await readFile(to, 'utf8')).split('\n').find((line) => line.includes('"seq":5'))
  const { hash, ...rest } = JSON.parse(gap ?? '') as Record<string, unknown>
  assert.deepEqual(rest, { platformId, seq: 5, id: await entryAt(5) }, 'its place alone is left')
  assert.match(String(hash), /^[0-9a-f]{64}$/)
  await db.read.run(
    sql`update audit_chain set hash = sha256(hash) where platform_id = ${id} and seq = 7`,
  )
  const rewritten = (await verifyOne(platformId, ` --anchor ${anchors}`)).problems
  assert.ok(rewritten.some(({ problem, seq }) => problem === 'OTHER_THAN_ANCHOR' && seq === 7))
})

const SAMPLES = 1_000

/** Entries as they come, some with notes, in two statements. */
async function seed(id: string): Promise<void> {
  await db.read.run(
    sql`with e as (
          select gen_random_uuid() as id, n, uuid_send(gen_random_uuid()) as salt,
            'note ' || md5(n::text) as note from generate_series(1, ${SAMPLES}) n
        ), noted as (
          insert into audit_notes (platform_id, entry_id, salt, note) select ${id}, id, salt, note from e where n % 2 = 0
        )
        insert into audit_entries (platform_id, id, at, actor, action, resource, note_digest, request_id)
        select ${id}, id, '2026-01-01'::timestamptz + n * interval '1 second', 'operator:' || md5(n::text), 'act ' || n,
          'Customer:' || gen_random_uuid(), case when n % 2 = 0 then sha256(salt || convert_to(note, 'UTF8')) end,
          md5('r' || n)
        from e order by n`,
  )
  await eventuallyChained(kit)
}

const flipped = (column: string, of: string): string =>
  `overlay(${column} placing chr(ascii(substr(${column}, 1 + c.seq::int * 7 % length(${column}), 1)) # 1)
     from 1 + c.seq::int * 7 % length(${column}) for 1) /* ${of} */`

test('OPER-53 a flipped bit of any of a thousand entries is named', async () => {
  const { platformId, id } = await platformWith(1)
  await seed(id)
  assert.deepEqual((await verifyOne(platformId)).problems, [])
  const bytes = (column: string): string =>
    `set_bit(${column}, (c.seq * 13 % (8 * length(${column})))::int, 1 - get_bit(${column}, (c.seq * 13 % (8 * length(${column})))::int))`
  // Each entry in one of its parts, by its place: texts, the time to the microsecond, digest, note and salt.
  const parts: readonly string[] = [
    ...['actor', 'action', 'resource', 'request_id'].map(
      (column) => `update audit_entries t set ${column} = ${flipped(column, 'text')}`,
    ),
    `update audit_entries t set at = at + interval '1 microsecond'`,
    `update audit_entries t set note_digest = coalesce(${bytes('note_digest')}, '\\x00')`,
    `update audit_notes t set note = ${flipped('note', 'note')}`,
    `update audit_notes t set salt = ${bytes('salt')}`,
  ]
  for (const [at, part] of parts.entries()) {
    const key = part.startsWith('update audit_notes') ? 'entry_id' : 'id'
    await db.read.run({
      parts: [
        `${part} from audit_chain c where c.platform_id = '${id}' and t.platform_id = c.platform_id
           and t.${key} = c.entry_id and c.seq > 1 and (c.seq - 1) % ${parts.length} = ${at}`,
      ],
      values: [],
    })
  }
  const { problems } = await verifyOne(platformId)
  // Every second entry has a note, and with it the last two parts.
  const withoutNote = (seq: number): boolean =>
    [6, 7].includes((seq - 1) % 8) && (seq - 1) % 2 === 1
  const expected = Array.from({ length: SAMPLES }, (_, n) => n + 2).filter(
    (seq) => !withoutNote(seq),
  )
  assert.deepEqual(
    problems.map(({ seq }) => seq),
    expected,
  )
})

test('OPER-51 OPER-53 an erased note leaves the chain whole, a deleted one does not', async () => {
  const { platformId, id } = await platformWith(1)
  await seed(id)
  const noted = await db.read.many<{ entryId: string }>(
    sql`select entry_id from audit_notes where platform_id = ${id} order by entry_id limit 2`,
  )
  const [first, second] = noted.map(({ entryId }) => entryId)
  await db.read.one(
    sql`select erase_audit_notes(${id}, ${[first]}::uuid[], 'asked for', '2026-01-01') as count`,
  )
  assert.deepEqual((await verifyOne(platformId)).problems, [])
  await db.read.run(sql`delete from audit_notes where platform_id = ${id} and entry_id = ${second}`)
  const [problem] = (await verifyOne(platformId)).problems
  assert.deepEqual([problem?.problem, problem?.entryId], ['NOTE_MISSING', second])
})

test('OPER-55 CORE-83 an export into a missing folder fails in one sentence', async () => {
  const { platformId } = await platformWith(1)
  const to = join(kit.dataDir, 'missing', 'export.jsonl')
  await assert.rejects(operate(kit, `audit export --platform ${platformId} --to ${to}`), {
    name: 'FileError',
    message: /export\.jsonl cannot be written \(ENOENT: no such file or directory/,
  })
})

test('OPER-55 the export has every entry with seq, hash and note, from where it is asked for', async () => {
  const { platformId, id } = await platformWith(1)
  await seed(id)
  const to = join(kit.dataDir, 'export.jsonl')
  const line = `audit export --platform ${platformId} --from 500 --to ${to}`
  const { entries } = await operate<Readonly<{ entries: number }>>(kit, line)
  assert.equal(entries, SAMPLES + 1 - 499)
  const lines = (await readFile(to, 'utf8')).trimEnd().split('\n')
  const rows = lines.map((one) => JSON.parse(one) as Record<string, unknown>)
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    Array.from({ length: entries }, (_, n) => 500 + n),
  )
  assert.equal(
    rows.filter(({ note }) => /^note /.test(String(note))).length,
    Math.floor(entries / 2),
  )
  for (const { hash, platformId: of } of rows) {
    assert.match(String(hash), /^[0-9a-f]{64}$/)
    assert.equal(of, platformId)
  }
  assert.equal((await verifyOne(platformId, ` --anchor ${to}`)).problems.length, 0)
  await assert.rejects(operate(kit, line), /EEXIST/)
})
