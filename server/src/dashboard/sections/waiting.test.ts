import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { items, text } from '../../../test/kit/api.ts'
import { fund } from '../../../test/kit/cards.ts'
import { openDashboard, type Shown, type Visitor } from '../../../test/kit/pages/dashboard.ts'
import { startOwnKit } from '../../../test/kit/florin.ts'
import { meetAtRow } from '../../../test/kit/database/meet-at-row.ts'
import { operate } from '../../../test/kit/operator.ts'
import { balanceOf, payer, platformAccount, readTransaction } from '../../../test/kit/payments.ts'
import {
  arrived,
  failedRefund,
  lostFactor,
  newTill,
  shortPurchase,
  strandedBalance,
  wallet,
} from '../../../test/kit/setups/waiting-work.ts'
import { sql } from '../../infra/db/statement/sql.ts'
import { mustParseId } from '../../kernel/ids.ts'

const kit = await startOwnKit()
const live = await kit.platform({
  environment: 'PRODUCTION',
  currencies: ['USD'],
  name: 'Live Pay',
})
const sandbox = await kit.platform({ currencies: ['USD'], name: 'Sandbox Pay' })
const till = await newTill(kit, live)
const board = await openDashboard(kit)
const anna = await board.signIn('anna')

const pathOf = (section: string, id: string): string => `/${section}/${encodeURIComponent(id)}`

const plainly = (page: string): string => page.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

const problemsIn = ({ text: page }: Shown): string =>
  plainly(/<div class="problem"[^]*?<\/div>/.exec(page)?.[0] ?? '')

const seenIn = ({ text: page }: Shown): string =>
  /name="seen" value="([^"]*)"/.exec(page)?.[1] ?? ''

const offeredIn = ({ text: page }: Shown): string[] =>
  [...page.matchAll(/<summary>([^<]+)</g)].map(([, label = '']) => label)

/** Does something from the page as it is now; the page that follows. */
async function act(who: Visitor, path: string, action: string, fields = {}): Promise<Shown> {
  const seen = seenIn(await who.get(path))
  const answer = await who.post(`${path}/${action}`, { seen, ...fields })
  return answer.status === 303 ? who.get(answer.headers.get('location') ?? '') : answer
}

const lastAction = async (resource: string): Promise<readonly string[]> => {
  const [entry] = items(await operate(kit, 'audit list', '--resource', resource))
  return [text(entry?.['actor']), text(entry?.['action'])]
}

const waitingIn = async (title: string): Promise<number> => {
  const { text: page } = await anna.get('/')
  const found = new RegExp(`>\\s*${title} <span class="count"\\s*>(\\d+)`).exec(page)?.[1]
  const queues = page.slice(page.indexOf('id="waiting"'), page.indexOf('id="figures"'))
  assert.ok(queues.includes(title), 'it is among what waits on the overview')
  return Number(found ?? 0)
}

test('CORE-83 CORE-92 a payout waits with where it goes, and is confirmed by name, once', async () => {
  const before = await waitingIn('Settlements')
  const id = await till.payOut()
  assert.equal(await waitingIn('Settlements'), before + 1)
  const list = await anna.get('/settlements')
  assert.match(plainly(list.text), /The platform itself Payout 1,234\.50 USD ACH Live Pay/)
  const other = `/settlements?platform=${encodeURIComponent(sandbox.platformId)}`
  assert.match((await anna.get(other)).text, /No money waits/)

  const path = pathOf('settlements', id)
  const page = await anna.get(path)
  assert.match(page.text, /<h1>Pay out 1,234\.50 USD<\/h1>/)
  assert.match(plainly(page.text), /Account number 20000\d+/)
  assert.deepEqual(offeredIn(page), ['Confirm', 'Mark as failed'])
  const done = await act(anna, path, 'confirm')
  assert.match(done.text, /role="status">\s*Confirmed\./)
  assert.equal((await readTransaction(live, id)).status, 'COMPLETED')
  assert.deepEqual(await lastAction(id), ['operator:anna', 'settlements confirm'])
  assert.deepEqual(offeredIn(done), ['The payout came back'])
  const bert = await board.signIn('bert')
  const again = await bert.post(`${path}/confirm`)
  assert.equal(again.status, 409)
  assert.match(problemsIn(again), /Nothing was changed.*Last was: anna, settlements confirm/)
  assert.match((await act(anna, path, 'return')).text, /Payout returned/)
})

test('TXN-19 the page of a bank’s payment takes its reference, that of a wallet’s its hash', async () => {
  const through = await till.passThrough()
  const path = pathOf('settlements', through)
  const pulled = await act(anna, path, 'confirm', { reference: 'TRACE-77' })
  assert.match(plainly(pulled.text), /Settled legs Pull: TRACE-77/)
  assert.match(plainly((await anna.get('/settlements')).text), /Pull: TRACE-77/)

  await operate(kit, 'network-fees set --network SOLANA --fee 0')
  await operate(kit, 'rates set --price USDC=1')
  const wallet = pathOf('settlements', await till.payOut('SOLANA_WALLET'))
  const page = await anna.get(wallet)
  assert.match(page.text, /<label for="confirm-transaction-hash">Transaction hash<\/label>/)
  assert.deepEqual(offeredIn(page), ['Confirm', 'Mark as failed'])
  const refused = await anna.post(`${wallet}/confirm-transaction`, { hash: '0x12' })
  assert.equal(refused.status, 400)
  assert.match(problemsIn(refused), /hash.*base58 of 64 bytes/)
  const hash = base58.encode(new Uint8Array(64).fill(3))
  const done = await act(anna, wallet, 'confirm-transaction', { hash })
  assert.match(done.text, /role="status">\s*Confirmed\./)
  assert.ok(done.text.includes(hash))
})

test('CORE-83 QUOTE-3 a second click on one page does not confirm the next leg', async () => {
  const id = await till.passThrough()
  const path = pathOf('settlements', id)
  const page = await anna.get(path)
  assert.match(page.text, /<h1>Pull 1,234\.50 USD<\/h1>/)
  const seen = seenIn(page)
  assert.equal((await anna.post(`${path}/confirm`, { seen })).status, 303)
  const twice = await anna.post(`${path}/confirm`, { seen })
  assert.equal(twice.status, 409)
  assert.match(problemsIn(twice), /has changed since you opened this page/)
  assert.match(twice.text, /<h1>Pay out 1,234\.50 USD<\/h1>/)
  assert.equal((await readTransaction(live, id)).status, 'PROCESSING')
  const failed = await act(anna, path, 'fail', { reason: 'ACCOUNT_INVALID' })
  assert.match(failed.text, /<h1>Send back 1,234\.50 USD<\/h1>/)
  assert.match(plainly(failed.text), /Failure reason Account invalid/)
  await act(anna, path, 'confirm')
  const { refund } = await readTransaction(live, id)
  assert.equal(text(refund?.status), 'COMPLETED')
})

/** Operators who press buttons of one page at once; how each is answered. */
async function atOnce(id: string, entries: readonly (readonly [who: Visitor, action: string])[]) {
  const path = pathOf('settlements', id)
  const seen = seenIn(await anna.get(path))
  const row = sql`select 1 from transactions where id = ${mustParseId('transaction', id)} for update`
  return meetAtRow(kit, row, () =>
    entries.map(([who, action]) =>
      who.post(`${path}/${action}`, {
        seen,
        ...(action === 'fail' && { reason: 'ACCOUNT_INVALID' }),
      }),
    ),
  )
}

/** How a payment may stand afterwards: as one of the two left it. */
for (const [entries, confirmed, after] of [
  [['confirm', 'confirm'], 0, ['PROCESSING ']],
  [['fail', 'fail'], 1, ['FAILED PENDING']],
  [['fail', 'confirm'], 1, ['FAILED PENDING', 'COMPLETED ']],
  [['return', 'return'], 2, ['FAILED PENDING']],
] as const) {
  test(`CORE-44 CORE-83 of ${entries.join(' and ')} at once one is done, and the other is refused`, async () => {
    const id = await till.passThrough()
    for (let leg = 0; leg < confirmed; leg += 1) await operate(kit, `settlements confirm ${id}`)
    const bert = await board.signIn('bert')
    const answers = await atOnce(id, [
      [anna, entries[0]],
      [bert, entries[1]],
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 409])
    const { status, refund } = await readTransaction(live, id)
    const ended = [status, refund?.status].join(' ')
    assert.ok(
      after.some((one) => one === ended),
      ended,
    )
  })
}

test('CORE-83 a reason that there is not is refused in words', async () => {
  const id = await till.payOut()
  const path = pathOf('settlements', id)
  const refused = await act(anna, path, 'fail', { reason: 'BORED' })
  assert.equal(refused.status, 400)
  assert.match(problemsIn(refused), /reason is one of QUOTE_EXPIRED/)
  assert.equal((await readTransaction(live, id)).status, 'PROCESSING')
  assert.equal((await anna.get(pathOf('settlements', 'Transaction:x'))).status, 404)
})

test('TXN-7 TXN-8 a refund that failed is tried again', async () => {
  const before = await waitingIn('Failed refunds')
  const { id: of } = await failedRefund(sandbox)
  const id = of
  assert.equal(await waitingIn('Failed refunds'), before + 1)
  assert.match(plainly((await anna.get('/refunds')).text), /10\.00 USD Counterparty post tx failed/)
  const path = pathOf('refunds', id)
  assert.match((await anna.get(path)).text, /<h1>Refund of 10\.00 USD<\/h1>/)
  const done = await act(anna, path, 'retry')
  assert.match(done.text, /The refund was tried again\./)
  assert.deepEqual(offeredIn(done), [])
  assert.equal(text((await readTransaction(sandbox, id)).refund?.status), 'COMPLETED')
  assert.deepEqual(await lastAction(id), ['operator:anna', 'refunds retry'])
  const again = await anna.post(`${path}/retry`)
  assert.equal(again.status, 409)
  assert.match(problemsIn(again), /Last was: anna, refunds retry/)
  assert.equal(await waitingIn('Failed refunds'), before)
})

test('IACC-10 L15 what is nobody’s is attributed to an account, or refused in words', async () => {
  const before = await waitingIn('Deposits')
  const id = await arrived(kit, { amount: 150_000 })
  assert.equal(await waitingIn('Deposits'), before + 1)
  assert.match(
    plainly((await anna.get('/deposits')).text),
    /Jane Doe Nobody yet 1,500\.00 USD Unattributed Owner unknown – ACH/,
  )
  const path = pathOf('deposits', id)
  assert.match(plainly((await anna.get(path)).text), /Belongs to Nobody yet/)
  assert.deepEqual(offeredIn(await anna.get(path)), [
    'It belongs to an account',
    'Mark as sent back',
  ])
  const none = await act(anna, path, 'attribute')
  assert.equal(none.status, 400)
  assert.match(problemsIn(none), /to/)
  const nobody = await act(anna, path, 'attribute', { to: 'InternalAccount:x' })
  assert.equal(nobody.status, 404)
  assert.match(nobody.text, /value="InternalAccount:x"/, 'what was typed is still there')
  const account = await platformAccount(sandbox, 'USD')
  const balance = await balanceOf(sandbox, account)
  const done = await act(anna, path, 'attribute', { to: account })
  assert.match(plainly(done.text), /The account was credited\..*Belongs to Sandbox Pay/)
  assert.equal(await balanceOf(sandbox, account), balance + 150_000)
  assert.deepEqual(await lastAction(id), ['operator:anna', 'deposits attribute'])
  const late = await anna.post(`${path}/return`)
  assert.equal(late.status, 409)
  assert.match(problemsIn(late), /Last was: anna, deposits attribute/)
  assert.match((await anna.get('/deposits?view=all')).text, /Taken<\/span>/)
})

test('IACC-10 L12 what is held is released or sent back', async () => {
  const { account } = await payer(sandbox, { funded: 0 })
  const own = await sandbox.api.get('/customers/internal-accounts', { query: { limit: 100 } })
  const held = items(own.body.data).find(({ id }) => id === account)
  const instruction = items(held?.fundingPaymentInstructions)[0]
  const reference = text(instruction?.accountOrWalletInfo.reference)
  const [good, bad] = [
    await arrived(kit, { amount: 700, reference }),
    await arrived(kit, { amount: 900, reference }),
  ]
  const page = await anna.get(pathOf('deposits', good))
  assert.deepEqual(offeredIn(page), ['Release', 'Mark as sent back'])
  assert.match((await act(anna, pathOf('deposits', good), 'release')).text, /Released\./)
  assert.match((await act(anna, pathOf('deposits', bad), 'return')).text, /Returned\./)
  assert.equal(await balanceOf(sandbox, account), 700)
})

for (const [verb, section, status] of [
  ['approve', 'ownership', 'Active'],
  ['reject', 'ownership', 'Unverified'],
  ['approve', 'sca-resets', 'Liveness passed'],
  ['reject', 'sca-resets', 'Rejected'],
] as const) {
  const [title, rules] =
    section === 'ownership'
      ? (['Ownership', 'OWN-3'] as const)
      : (['SCA resets', 'SCA-34'] as const)
  test(`CORE-83 ${rules} ${section} shows who waits, and ${verb} decides it once`, async () => {
    const name = `Greta ${verb}`
    const before = await waitingIn(title)
    const id =
      section === 'ownership' ? await wallet(live, name) : await lostFactor(kit, live, name)
    assert.equal(await waitingIn(title), before + 1)
    const list = await anna.get(`/${section}?platform=${encodeURIComponent(live.platformId)}`)
    assert.ok(list.text.includes(name))
    const path = pathOf(section, id)
    assert.deepEqual(offeredIn(await anna.get(path)), ['Approve', 'Reject'])
    const bert = await board.signIn('bert')
    const seen = seenIn(await bert.get(path))
    const done = await act(anna, path, verb)
    assert.match(done.text, new RegExp(`${status}</span>`))
    assert.deepEqual(offeredIn(done), [])
    assert.deepEqual(await lastAction(id), ['operator:anna', `${section} ${verb}`])
    const late = await bert.post(`${path}/${verb === 'approve' ? 'reject' : 'approve'}`, { seen })
    assert.equal(late.status, 409)
    assert.match(problemsIn(late), new RegExp(`Last was: anna, ${section} ${verb}`))
    assert.equal(await waitingIn(title), before)
  })
}

test('K3r what the service bore for a card is pulled once the account covers it', async () => {
  const before = await waitingIn('Card exceptions')
  const { card, id } = await shortPurchase(sandbox, 'Mira Short')
  assert.equal(await waitingIn('Card exceptions'), before + 1)
  const list = plainly((await anna.get('/card-exceptions')).text)
  assert.match(list, /Mira Short BLUE DOOR COFFEE 2\.00 USD Clearing •••• \d{4} Active/)
  const path = pathOf('card-exceptions', id)
  assert.deepEqual(offeredIn(await anna.get(path)), ['Pull it now', 'Close the card'])
  const early = await act(anna, path, 'retry-pull')
  assert.equal(early.status, 400)
  assert.match(problemsIn(early), /Nothing was changed/)
  await fund(sandbox, card.accountId, 250)
  const done = await act(anna, path, 'retry-pull')
  assert.match(done.text, /Pulled from the account\./)
  assert.match(done.text, /Settled<\/span>/)
  assert.deepEqual(await lastAction(id), ['operator:anna', 'cards retry-pull'])
  assert.equal((await anna.post(`${path}/retry-pull`)).status, 409)
  assert.match((await act(anna, path, 'close')).text, /The card is closed\./)
  assert.deepEqual(await lastAction(card.id), ['operator:anna', 'cards close'])
  assert.deepEqual(offeredIn(await anna.get(path)), [])
  assert.equal((await anna.post(`${path}/close`)).status, 409)
})

test('EACC-19 CORE-93 government numbers of an account are shown only when asked for, which is audited', async () => {
  await operate(kit, 'rates set --price USD=1 --price BRL=5')
  const id = await till.payOut('BRL_ACCOUNT')
  const path = pathOf('settlements', id)
  const page = plainly((await anna.get(path)).text)
  assert.match(page, /Tax ID \*+\d{4}.*Show numbers in full/)
  const shown = plainly((await anna.post(`${path}/reveal`)).text)
  assert.match(shown, /Tax ID \d{5}/)
  assert.doesNotMatch(shown, /Show numbers in full/)
  assert.deepEqual(await lastAction(id), ['operator:anna', 'settlements reveal'])
  const plain = pathOf('settlements', await till.payOut())
  assert.doesNotMatch((await anna.get(plain)).text, /Show numbers in full/, 'nothing is masked')
})

test('CORE-83 a long list goes on after its last row, on the command line too', async () => {
  const ids = [await arrived(kit, { amount: 1 }), await arrived(kit, { amount: 2 })]
  const all = items(await operate(kit, 'deposits list --limit 100'))
  const index = all.findIndex(({ depositId }) => text(depositId) === ids[0])
  const first = all[index]
  const after = `${text(first?.['createdAt'])}/${text(first?.['depositId'])}`
  const [next] = items(await operate(kit, `deposits list --limit 1 --after ${after}`))
  assert.equal(text(next?.['depositId']), ids[1])
  const [newer] = items(await operate(kit, 'deposits list --all --limit 1'))
  const place = `${text(newer?.['createdAt'])}/${text(newer?.['depositId'])}`
  const [older] = items(await operate(kit, `deposits list --all --limit 1 --after ${place}`))
  assert.equal(text(older?.['depositId']), ids[0])
  await assert.rejects(operate(kit, 'deposits list --after x'), /--after is the time and the id/)
  const page = await anna.get(`/deposits?after=${encodeURIComponent(after)}`)
  const [earlier, later] = ids.map(encodeURIComponent)
  assert.ok(later && page.text.includes(later))
  assert.ok(earlier && !page.text.includes(earlier))
})

test('IACC-18 CORE-92 a balance without a way out is listed, and returned from its page', async () => {
  const before = await waitingIn('Money to return')
  const account = await strandedBalance(sandbox)
  const own = await platformAccount(sandbox, 'USD')
  const balance = await balanceOf(sandbox, own)
  assert.equal(await waitingIn('Money to return'), before + 1)
  assert.match(plainly((await anna.get('/returns')).text), /50\.00 USD Rejected/)
  const path = pathOf('returns', account)
  const page = await anna.get(path)
  assert.deepEqual(offeredIn(page), ['Return the balance'])
  assert.ok(offeredIn(await anna.get(pathOf('accounts', account))).includes('Return the balance'))
  const seen = seenIn(page)
  const unsaid = await act(anna, path, 'return')
  assert.match(problemsIn(unsaid), /reason/i)
  const done = await act(anna, path, 'return', { reason: 'Offboarded', reference: '' })
  assert.match(done.text, /The balance was returned to the platform\./)
  assert.deepEqual(offeredIn(done), [])
  assert.equal(await balanceOf(sandbox, own), balance + 5_000)
  assert.deepEqual(await lastAction(account), ['operator:anna', 'accounts return'])
  const again = await anna.post(`${path}/return`, { seen, reason: 'Offboarded' })
  assert.equal(again.status, 409)
  assert.match(problemsIn(again), /Last was: anna, accounts return/)
  assert.equal(await waitingIn('Money to return'), before)
})
