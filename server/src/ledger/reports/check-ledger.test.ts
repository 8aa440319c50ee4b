import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { cloneDatabase, keyring } from '../../../test/kit/database/database.ts'
import { silentLog } from '../../../test/kit/processes/silent-log.ts'
import { watchRoundTrips } from '../../../test/kit/database/round-trips.ts'
import { openDatabase } from '../../infra/db/database.ts'
import { sql, type Sql } from '../../infra/db/statement/sql.ts'
import { newId, newUuid } from '../../kernel/ids.ts'
import { checkLedger } from './check-ledger.ts'
import { openBook, storedKeys } from '../book.ts'
import { availableOf, FX, transitOf, worldOf, type LedgerAccount } from '../chart.ts'
import type { Journal } from '../posting.ts'

// A database of its own, to be corrupted by hand: what no code of ours can do, a disk or a hurried person may.
const database = await cloneDatabase()
const db = openDatabase({ url: database.url, poolSize: 4, log: silentLog, keyring })
const watch = watchRoundTrips()
after(async () => {
  watch.stop()
  await db.close()
  await database.drop()
})

const platformId = newId('platform')
const id = newId('internalAccount')
const at = new Date('2026-01-01T00:00:00Z')
const paid = newId('transaction')

await db.read.run(
  sql`insert into platforms (id, name, kind, environment, webhook_public_key, webhook_private_key, config_id, uma_domain,
        proxy_uma_subdomain, created_at, config_updated_at)
      values (${platformId}, 'p', 'REGULATED', 'SANDBOX', '', '', ${newUuid()}, 'a', 'b', ${at}, ${at})`,
)

async function postAll(journals: readonly Journal[]): Promise<void> {
  await db.transaction(async (tx) => {
    const book = await openBook(tx, storedKeys(platformId, journals))
    book.mustApply(platformId, at, journals)
    const written = book.toWrite()
    if (written) tx.queueWrite(written)
  })
}

/** A small sound book: money came in twice, one part of it is on its way out. */
beforeEach(async () => {
  for (const table of [
    sql`ledger_entries`,
    sql`ledger_journals`,
    sql`ledger_balances`,
    sql`transactions`,
  ]) {
    await db.read.run(sql`delete from ${table}`)
  }
  const journal = (from: LedgerAccount, to: LedgerAccount, amount: bigint): Journal => ({
    type: 'test',
    reference: newUuid(),
    postings: [
      { account: from, currency: 'USD', amount: -amount },
      { account: to, currency: 'USD', amount },
    ],
  })
  await postAll([journal(worldOf('ACH'), availableOf(id), 10n)])
  await postAll([journal(worldOf('ACH'), availableOf(id), 5n)])
  await postAll([journal(availableOf(id), transitOf(paid), 4n)])
  await db.read.run(
    sql`insert into transactions (platform_id, id, type, status, source, destination, created_at, updated_at)
        values (${platformId}, ${paid}, 'OUTGOING', 'PROCESSING', '{}', '{}', ${at}, ${at})`,
  )
})

test('LEDG-5 a sound book has no problems; entries and currencies are counted', async () => {
  assert.deepEqual(await checkLedger(db), {
    ok: true,
    entries: 6,
    currencies: ['USD'],
    problems: [],
  })
})

test('LEDG-5 an empty book is sound', async () => {
  await db.read.run(sql`delete from ledger_entries`)
  await db.read.run(sql`delete from ledger_journals`)
  await db.read.run(sql`delete from ledger_balances`)
  assert.deepEqual(await checkLedger(db), { ok: true, entries: 0, currencies: [], problems: [] })
})

const world = sql`account = 'WORLD:ACH' and amount = -10`
const setPayment = (status: string, refund: string | null): Sql =>
  sql`update transactions set status = ${status}, failure_reason = ${status === 'FAILED' ? 'X' : null},
        refund_status = ${refund}, refund_reference = ${refund && 'R'}, refund_reason = ${refund && 'TIMEOUT'},
        refund_initiated_at = ${refund && at}, refund_settled_at = ${refund === 'COMPLETED' ? at : null}`

describe('LEDG-5 finds what was corrupted', () => {
  const CORRUPTIONS: readonly (readonly [what: string, how: Sql, found: readonly RegExp[]])[] = [
    [
      'an entry of another amount',
      sql`update ledger_entries set amount = -11 where ${world}`,
      [/does not sum to zero in USD/],
    ],
    [
      'an entry in another currency',
      sql`update ledger_entries set currency = 'EUR' where ${world}`,
      [/does not sum to zero in EUR/, /does not sum to zero in USD/],
    ],
    [
      'an entry that is gone',
      sql`delete from ledger_entries where ${world}`,
      [/does not sum to zero in USD/, /fewer than two postings/],
    ],
    [
      'a journal without entries',
      sql`insert into ledger_journals (platform_id, id, type, reference, at)
          values (${platformId}, ${newUuid()}, 'test', 'x', ${at})`,
      [/fewer than two postings/],
    ],
    [
      'entries without a journal',
      sql`delete from ledger_journals where id in (select journal_id from ledger_entries where ${world})`,
      [
        /an entry of IA:.* belongs to journal .*, which is not there/,
        /an entry of WORLD:ACH belongs to/,
      ],
    ],
    [
      'a balance that moved by itself',
      sql`update ledger_balances set amount = amount + 1 where account = ${availableOf(id)}`,
      [/balance of IA:.*:available in USD is 12, its postings sum to 11/],
    ],
    [
      'a balance that is gone',
      sql`delete from ledger_balances where account = ${availableOf(id)}`,
      [/balance of IA:.*:available in USD is missing, its postings sum to 11/],
    ],
    [
      'a balance out of nowhere',
      sql`insert into ledger_balances (platform_id, account, currency, amount)
          values (${platformId}, 'SUSPENSE:unattributed', 'USD', 3)`,
      [/balance of SUSPENSE:unattributed in USD is 3, its postings sum to 0/],
    ],
    [
      'LEDG-7 a posting with another balance after it',
      sql`update ledger_entries set balance_after = 14 where balance_after = 15`,
      [/carries balance 14, it should be 15/],
    ],
    [
      'LEDG-7 a posting without the balance after it',
      sql`update ledger_entries set balance_after = null where balance_after = 15`,
      [/carries balance none, it should be 15/],
    ],
    [
      'money left on its way by a completed payment',
      setPayment('COMPLETED', null),
      [/TRANSIT:.* still has 4 USD, but its transaction is COMPLETED$/],
    ],
    [
      'money on its way for no transaction',
      sql`delete from transactions`,
      [/TRANSIT:.* still has 4 USD, but its transaction is not there/],
    ],
    [
      'money left on its way by an ended refund',
      setPayment('FAILED', 'COMPLETED'),
      [/TRANSIT:.* still has 4 USD, but its transaction is FAILED and its refund COMPLETED/],
    ],
    [
      'money left on its way by a failed refund',
      setPayment('FAILED', 'FAILED'),
      [/but its transaction is FAILED and its refund FAILED/],
    ],
  ]
  for (const [what, how, found] of CORRUPTIONS) {
    test(what, async () => {
      await db.read.run(how)
      const { ok, problems } = await checkLedger(db)
      assert.equal(ok, false)
      assert.equal(problems.length, found.length, problems.join('\n'))
      const sorted = problems.toSorted()
      found.forEach((pattern, index) => assert.match(sorted[index] ?? '', pattern))
    })
  }

  test('but a refund under way may still have its money in transit', async () => {
    await db.read.run(setPayment('FAILED', 'PENDING'))
    assert.deepEqual((await checkLedger(db)).problems, [])
  })
})

test('LEDG-5 runs beside traffic, on one snapshot', async () => {
  let running = true
  const traffic = (async () => {
    while (running) {
      await postAll([
        {
          type: 'test',
          reference: newUuid(),
          postings: [
            { account: FX, currency: 'USD', amount: -1n },
            { account: availableOf(id), currency: 'USD', amount: 1n },
          ],
        },
      ])
    }
  })()
  for (let n = 0; n < 10; n += 1) assert.deepEqual((await checkLedger(db)).problems, [])
  running = false
  await traffic
  const [statements = []] = watch.transactionWith(/has fewer than two postings/)
  assert.match(statements.join('\n'), /isolation level repeatable read/)
})
