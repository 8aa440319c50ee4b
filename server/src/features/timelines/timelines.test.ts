import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { TimelineEntry } from '../../../../sdk/src/index.ts'
import { OWNED } from '../../../test/contract/owned-resources.ts'
import { expectStatus, type Shown } from '../../../test/kit/api.ts'
import { newCard } from '../../../test/kit/cards.ts'
import { eventually } from '../../../test/kit/eventually.ts'
import { watchRoundTrips } from '../../../test/kit/database/round-trips.ts'
import { startKit, type TestPlatform } from '../../../test/kit/florin.ts'
import { asCaller, operate, operatorNamed } from '../../../test/kit/operator.ts'
import { payee, payer, quote } from '../../../test/kit/payments.ts'
import { jobHandlers } from '../../app/job-handlers.ts'
import { parseAnyId } from '../../kernel/ids.ts'
import { commands } from '../../operator/commands.ts'
import { SHOWN_ACTIONS, SHOWN_JOBS } from './shown.ts'

const kit = await startKit()
const p = await kit.platform({ name: 'Own' })
const other = await kit.platform({ name: 'Other' })

const WHOLE = { query: { limit: 100 } }
const BOOKED = /from ledger_entries e/

const timeline = async ({ api }: TestPlatform, id: string) =>
  expectStatus(await api.get(`/timeline/${id}` as const, WHOLE), 200).data

async function newQuote(asked: object = {}) {
  const { customerId, account } = await payer(p)
  const to = await payee(p, 'USD_ACCOUNT', { customerId })
  const made = await quote(p, { from: account, to, amount: 10_000, ...asked })
  return { account, ...expectStatus(made, 201) }
}

test('OPER-130 a payment’s timeline has who did what, what was booked and what was sent, oldest first', async () => {
  const made = await newQuote({ immediatelyExecute: true })
  const entries = await timeline(p, made.transactionId)
  const times = entries.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted())
  const created = entries.find(({ kind }) => kind === 'ACTION')
  assert.partialDeepStrictEqual(created, { what: 'createQuote', by: 'PLATFORM' })
  assert.match(created?.byId ?? '', /^Token:/)
  const booked = entries.filter(({ kind }) => kind === 'BOOKED')
  assert.ok(
    booked.some(
      ({ accountId, part, amount }) =>
        accountId === made.account && part === 'AVAILABLE' && (amount?.amount ?? 0) < 0,
    ),
  )
  const events = entries.flatMap(({ event }) => event ?? [])
  assert.deepEqual(
    events.map(({ type }) => type),
    ['PENDING', 'PROCESSING', 'COMPLETED'].map((status) => `OUTGOING_PAYMENT.${status}`),
  )
  for (const { id, deliveryStatus } of events) {
    assert.match(id, /^Webhook:/)
    assert.equal(deliveryStatus, 'SKIPPED')
  }
  assert.deepEqual(await timeline(p, made.id), entries, 'a quote and its transaction are one')
  const onAccount = await timeline(p, made.account)
  assert.ok(
    onAccount.some(({ kind, accountId }) => kind === 'BOOKED' && accountId === made.account),
  )
})

test('OPER-130 entries of an account are found by its index, which has those of internal accounts alone', async () => {
  const { account } = await payer(p)
  const watch = watchRoundTrips()
  await timeline(p, account)
  watch.stop()
  const [booked = ''] = watch
    .transactionWith(BOOKED)
    .flat()
    .filter((text) => BOOKED.test(text))
  const client = new pg.Client({ connectionString: kit.databaseUrl })
  await client.connect()
  await client.query('set enable_seqscan = off')
  const plan = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${booked}`)
  await client.end()
  const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(lines, /using ledger_entries_of_internal_accounts/)
})

test('OPER-130 what comes next is at the end, with the time at which it is due', async () => {
  const made = await newQuote()
  const last = (await timeline(p, made.id)).at(-1)
  assert.partialDeepStrictEqual(last, { kind: 'DUE', what: 'quotes.expire', by: 'SERVICE' })
  assert.equal(last?.dueAt, made.expiresAt)
})

test('OPER-130 a failed payment says why, in the contract’s words', async () => {
  const { customerId, account } = await payer(p)
  const to = await payee(p, 'USD_ACCOUNT', { customerId, suffix: '002' })
  const asked = { from: account, to, amount: 10_000, immediatelyExecute: true }
  const made = expectStatus(await quote(p, asked), 201)
  const entries = await timeline(p, made.transactionId)
  assert.ok(entries.some(({ why }) => why === 'QUOTE_EXECUTION_FAILED'))
})

test('OPER-130 pages by cursor have every entry once, in order', async () => {
  const { transactionId } = await newQuote({ immediatelyExecute: true })
  const walked: Shown<TimelineEntry>[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 2, cursor }
    const page = expectStatus(await p.api.get(`/timeline/${transactionId}`, { query }), 200)
    walked.push(...page.data)
    cursor = page.nextCursor
    assert.equal(page.hasMore, cursor !== undefined)
  } while (cursor !== undefined)
  assert.deepEqual(walked, await timeline(p, transactionId))
})

for (const [name, make] of Object.entries(OWNED)) {
  test(`OPER-130 CORE-23 by its ${name} a platform gets the timeline of its own, and no other platform does`, async () => {
    const id = await make(p)
    if (!parseAnyId(id)) return
    await timeline(p, id)
    const answer = await other.api.get(`/timeline/${id}`)
    assert.equal(expectStatus(answer, 404).code, 'REFERENCE_NOT_FOUND')
  })
}

test('OPER-130 the timeline of a webhook event has its attempts, and when the next is due', async () => {
  const webhooks = await kit.platform({ name: 'Unreachable endpoint' })
  await OWNED['eventId']?.(webhooks)
  await OWNED['transactionId']?.(webhooks)
  const { data } = expectStatus(await webhooks.api.get('/events'), 200)
  const id = data.find(({ type }) => type !== 'TEST')?.id ?? ''
  await eventually(async () => {
    const entries = await timeline(webhooks, id)
    assert.equal(entries.find(({ kind }) => kind === 'EVENT')?.event?.id, id)
    assert.match(entries.find(({ kind }) => kind === 'ATTEMPT')?.why ?? '', /./)
    assert.ok(entries.some(({ kind, dueAt }) => kind === 'DUE' && dueAt !== undefined))
  })
})

test('OPER-131 of an operator the platform sees the act, not the name and not the note', async () => {
  const card = await newCard(p, { funds: 0 })
  const ada = asCaller(kit, operatorNamed('ada-lovelace', 'REVIEWER', 'ADMIN'))
  await operate(ada, `cards freeze ${card.id} --note`, 'police called about it')
  const { text } = await p.api.get(`/timeline/${card.id}`, WHOLE)
  const frozen = (await timeline(p, card.id)).find(({ what }) => what === 'cards freeze')
  assert.partialDeepStrictEqual(frozen, { kind: 'ACTION', by: 'OPERATOR' })
  assert.doesNotMatch(text, /ada-lovelace|police/)
})

test('OPER-131 what only the operator may know about a customer is not in its timeline', async () => {
  const { customerId } = await payer(p)
  await operate(kit, `customers legal-hold ${customerId} on --note`, 'a court asked')
  const { text } = await p.api.get(`/timeline/${customerId}`, WHOLE)
  assert.doesNotMatch(text, /hold|court/)
  const { entries } = await operate<{ entries: unknown[] }>(kit, `timeline show ${customerId}`)
  assert.match(JSON.stringify(entries), /legal-hold/)
})

test('OPER-131 every action and job that a platform sees is one that there is', () => {
  const names = new Set(commands.map(({ name }) => name))
  for (const action of SHOWN_ACTIONS) assert.ok(!action.includes(' ') || names.has(action), action)
  for (const job of SHOWN_JOBS) assert.ok(job === 'webhooks.deliver' || jobHandlers.has(job), job)
})
