import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text, type Body } from '../../../../test/kit/api.ts'
import { currencyOf, listAccounts } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { scriptedProvider } from '../../../../test/kit/outside/scripted-provider.ts'
import { balanceOf } from '../../../../test/kit/payments.ts'
import {
  depositSetup,
  dollars,
  newDepositId,
} from '../../../../test/kit/setups/deposit-provider.ts'
import { newUuid } from '../../../kernel/ids.ts'

const kit = await startOwnKit()

/** An account of the customer in a coin, and how it is paid into over each network. */
async function coinSetup(currency: string) {
  const setup = await depositSetup(kit, { currencies: ['USD', currency] })
  const accounts = await listAccounts(setup.platform, { id: setup.customerId })
  const account = accounts.find((one) => currencyOf(one) === currency)
  const infos = items(account?.fundingPaymentInstructions).map((one) => one.accountOrWalletInfo)
  const infoOf = (type: string) => infos.find(({ accountType }) => accountType === type)
  const id = text(account?.id)
  return { ...setup, infoOf, id, balance: () => balanceOf(setup.platform, id) }
}

type Coins = Readonly<{ currency: string; amount: number; rail: string; to: string; hash?: string }>

const coins = ({ currency, amount, rail, to, hash = newUuid() }: Coins) =>
  dollars(1, {
    amount: { amount, currency },
    rail,
    to: { address: to },
    proofs: { onChainTransaction: { transactionHash: hash, network: rail } },
  })

const reversal = ({ depositId, amount }: ReturnType<typeof dollars>, more: object = {}) => ({
  depositId,
  state: 'REVERSED',
  reversalId: newUuid(),
  amount,
  reason: 'REORGANISED',
  ...more,
})

const outcome = ({ result, depositStatus, reason }: Body) => [result, depositStatus, reason]

const statusOf = async (depositId: string): Promise<string> => {
  const all = items(await operate(kit, 'deposits list --all'))
  return text(all.find((one) => text(one['providerDepositId'] ?? '') === depositId)?.['status'])
}

test('PROV-81 PROV-85 what was seen on a chain and taken back again is dropped, and no money moves', async () => {
  const { send, infoOf, balance } = await coinSetup('BTC')
  const to = text(infoOf('BITCOIN_L1')?.address)
  const seen = coins({ currency: 'BTC', amount: 5_000, rail: 'BITCOIN', to })
  await send({ ...seen, state: 'PENDING' })
  const part = await send(reversal(seen, { amount: { amount: 4_999, currency: 'BTC' } }))
  assert.equal(part['result'], 'EXCEPTION', 'a part of what has not come makes no sense')
  const dropped = reversal(seen)
  assert.deepEqual(outcome(await send(dropped)), ['APPLIED', 'DROPPED', undefined])
  for (const again of [dropped, reversal(seen), { ...seen, state: 'PENDING' }])
    assert.equal((await send(again))['result'], 'DUPLICATE')
  assert.equal(await statusOf(seen.depositId), 'DROPPED')
  assert.equal((await send(seen))['result'], 'EXCEPTION', 'both cannot be the last word')
  assert.equal(await balance(), 0)
  const mined = { ...seen, depositId: newDepositId() }
  assert.deepEqual(outcome(await send(mined)).slice(0, 2), ['APPLIED', 'TAKEN'])
  assert.equal(await balance(), 5_000)
})

test('PROV-87 a transaction that one provider has only seen is taken when another has received it', async () => {
  const { send, infoOf, balance, platform } = await coinSetup('USDC')
  const to = text(infoOf('POLYGON_WALLET')?.address)
  const mine = coins({ currency: 'USDC', amount: 70, rail: 'POLYGON', to })
  await send({ ...mine, state: 'PENDING' })
  const other = await scriptedProvider(
    kit,
    `--environment SANDBOX --platform ${platform.platformId} --ports deposits --currency EUR`,
  )
  const theirs = { ...mine, depositId: newDepositId() }
  const [taken] = items((await other.post('deposits', { deposits: [theirs] }))['results'])
  assert.equal(taken?.['depositStatus'], 'TAKEN')
  for (const word of [mine, mine, { ...mine, state: 'PENDING' }])
    assert.equal((await send(word))['result'], 'DUPLICATE')
  assert.equal(await statusOf(mine.depositId), 'DROPPED')
  assert.equal(await balance(), 70)
})

test('PROV-87 a deposit that ends as a transaction taken before holds up no other of its batch', async () => {
  const { send, provider, infoOf, balance } = await coinSetup('USDC')
  const [rail, to] = ['ETHEREUM', text(infoOf('ETHEREUM_WALLET')?.address)]
  const hash = newUuid()
  await send(coins({ currency: 'USDC', amount: 100, rail, to, hash }))
  const replaced = coins({ currency: 'USDC', amount: 100, rail, to })
  await send({ ...replaced, state: 'PENDING' })
  const proofs = { onChainTransaction: { transactionHash: hash, network: rail } }
  const next = coins({ currency: 'USDC', amount: 1, rail, to })
  const answer = await provider.post('deposits', { deposits: [{ ...replaced, proofs }, next] })
  assert.deepEqual(
    items(answer['results']).map(({ result }) => result),
    ['DUPLICATE', 'APPLIED'],
  )
  assert.equal(await balance(), 101)
})

test('PROV-87 two outputs of one transaction to one address are not taken for one by silence', async () => {
  const { send, infoOf, balance } = await coinSetup('BTC')
  const [rail, to, hash] = ['BITCOIN', text(infoOf('BITCOIN_L1')?.address), newUuid()]
  await send(coins({ currency: 'BTC', amount: 10, rail, to, hash }))
  const second = coins({ currency: 'BTC', amount: 20, rail, to, hash })
  const refused = await send(second)
  assert.equal(refused['result'], 'EXCEPTION')
  assert.equal((await send(second))['exceptionId'], refused['exceptionId'])
  assert.equal(await balance(), 10)
})

test('PROV-82 a coin over a network that does not carry it waits, and an operator says whose it is', async () => {
  const { send, infoOf, balance, id } = await coinSetup('USDC')
  const to = text(infoOf('ETHEREUM_WALLET')?.address)
  for (const rail of ['PLASMA', 'TRON', 'BITCOIN', 'SPARK', 'LIGHTNING']) {
    const parked = await send(coins({ currency: 'USDC', amount: 7, rail, to }))
    assert.deepEqual(outcome(parked), ['APPLIED', 'UNATTRIBUTED', 'NETWORK_MISMATCH'], rail)
  }
  const line = `deposits receive --environment SANDBOX --amount 7 --currency USDC --rail PLASMA --trace ${newUuid()}`
  const received = await operate(kit, `${line} --to ${to}`)
  assert.equal(received['reason'], 'NETWORK_MISMATCH')
  assert.equal(await balance(), 0)
  await operate(kit, `deposits attribute ${text(received['depositId'])} --to ${id}`)
  assert.equal(await balance(), 7)
  assert.equal((await operate(kit, 'ledger check'))['ok'], true)
})

test('PROV-81 IACC-10 an invoice that was paid names its owner as an address does', async () => {
  const { send, infoOf, balance } = await coinSetup('BTC')
  const lightning = text(infoOf('LIGHTNING')?.invoice)
  const spark = text(infoOf('SPARK_WALLET')?.invoice)
  for (const [rail, to] of [
    ['LIGHTNING', lightning],
    ['LIGHTNING', lightning.toUpperCase()],
    ['SPARK', spark],
  ] as const) {
    const taken = await send(coins({ currency: 'BTC', amount: 3, rail, to }))
    assert.equal(taken['depositStatus'], 'TAKEN', to)
  }
  assert.equal(await balance(), 9)
})
