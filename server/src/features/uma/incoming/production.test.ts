import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58 } from '@scure/base'
import { expectStatus, items, text } from '../../../../test/kit/api.ts'
import { openReceiver } from '../../../../test/kit/outside/connect-receiver.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { eventually } from '../../../../test/kit/eventually.ts'
import { asOperator } from '../../../../test/kit/accounts/external-accounts.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import {
  balanceOf,
  customerAccount,
  eventTypesOf,
  execute,
  payee,
  platformAccount,
  readTransaction,
} from '../../../../test/kit/payments.ts'
import { openProductionAccount } from '../../../../test/kit/setups/production.ts'
import { quoteUma, umaAddressOf } from '../../../../test/kit/uma.ts'
import { mappedOutgoing } from '../../../../test/kit/outside/uma-counterparty.ts'
import { mustParseId } from '../../../kernel/ids.ts'
import { setAccountStatus } from '../../external-accounts/index.ts'

const hook = await openReceiver()
const ports = new Map([['hooks.example', Number(new URL(hook.url).port)]])
const kit = await startOwnKit({}, { outgoing: mappedOutgoing(ports) })
const newPlatform = () => kit.platform({ environment: 'PRODUCTION', currencies: ['USD'] })
const sender = await newPlatform()
const from = await openProductionAccount(kit, sender, {
  id: await platformAccount(sender, 'USD'),
  funded: 100_000n,
})

async function newReceiver(platform: TestPlatform) {
  const customerId = (await createCustomer(platform)).id
  const id = await customerAccount(platform, customerId, 'USD')
  const account = await openProductionAccount(kit, platform, { id, funded: 0n })
  return { platform, customerId, account, to: await umaAddressOf(platform, customerId) }
}

async function withHook(platform: TestPlatform): Promise<TestPlatform> {
  const webhookEndpoint = 'https://hooks.example/hook'
  expectStatus(await platform.api.patch('/config', { webhookEndpoint }), 200)
  return platform
}

async function pay(to: string, amount = 1_000): Promise<string> {
  const quoted = expectStatus(await quoteUma(sender, { from, to, amount }), 201)
  expectStatus(await execute(sender, quoted), 200)
  return quoted.transactionId
}

const ends = (platform: TestPlatform, id: string, status: string) =>
  eventually(async () => {
    const transaction = await readTransaction(platform, id)
    assert.equal(transaction.status, status)
    return transaction
  })

const incomingOf = ({ api }: TestPlatform): Promise<string> =>
  eventually(async () => {
    const listed = expectStatus(
      await api.get('/transactions', { query: { type: 'INCOMING' } }),
      200,
    )
    return text(listed.data[0]?.id)
  })

test('UMA-11 in production a platform without an endpoint refuses the payment to the counterparty', async () => {
  const { platform, account, to } = await newReceiver(await newPlatform())
  const before = await balanceOf(sender, from)
  const failed = await ends(sender, await pay(to), 'FAILED')
  assert.equal(failed.failureReason, 'COUNTERPARTY_POST_TX_FAILED')
  assert.equal(await balanceOf(sender, from), before)
  assert.equal(await balanceOf(platform, account), 0)
})

test('UMA-9 in production the endpoint’s approval completes both payments', async () => {
  const { platform, account, to } = await newReceiver(await withHook(await newPlatform()))
  await ends(sender, await pay(to), 'COMPLETED')
  assert.equal(await balanceOf(platform, account), 1_000)
})

test('UMA-9 UMA-2 a payment to an address that has moved away meanwhile fails, and is refunded', async () => {
  const { platform, customerId, to } = await newReceiver(await withHook(await newPlatform()))
  const before = await balanceOf(sender, from)
  const quoted = expectStatus(await quoteUma(sender, { from, to, amount: 1_000 }), 201)
  expectStatus(await platform.api.patch('/config', { umaDomain: 'moved.example' }), 200)
  const umaAddress = `${to.slice(0, to.indexOf('@'))}@moved.example`
  const moved = { customerType: 'INDIVIDUAL', umaAddress }
  expectStatus(await platform.api.patch(`/customers/${customerId}`, moved), 200)
  expectStatus(await execute(sender, quoted), 200)
  const failed = await ends(sender, quoted.transactionId, 'FAILED')
  assert.equal(failed.failureReason, 'COUNTERPARTY_POST_TX_FAILED')
  assert.equal(await balanceOf(sender, from), before)
})

const isListed = async (id: string): Promise<boolean> =>
  items(await operate(kit, 'settlements list')).some((one) => text(one['transactionId']) === id)

/** The sender's half of a payment between two customers here: the receiver's says what becomes of it. */
async function expectNotToSettle(id: string): Promise<void> {
  assert.equal(await isListed(id), false)
  assert.equal((await operate(kit, `settlements show ${id}`))['waitsFor'], undefined)
  const refused = { code: 'CONFLICT', details: { reason: 'AWAITS_RECEIVER' } }
  await assert.rejects(operate(kit, `settlements confirm ${id}`), refused)
  await assert.rejects(operate(kit, `settlements fail ${id}`), refused)
  assert.equal((await readTransaction(sender, id)).status, 'PROCESSING')
}

test('UMA-9 the operator cannot settle a payment that waits for its receiver’s platform', async () => {
  const { platform, account, to } = await newReceiver(await withHook(await newPlatform()))
  const asked = Promise.withResolvers<() => void>()
  hook.answerWith(({ event: { type } }, response) => {
    const reply = (): void => void response.writeHead(200).end('ok')
    if (type === 'INCOMING_PAYMENT.PENDING') asked.resolve(reply)
    else reply()
  })
  const paid = await pay(to)
  const reply = await asked.promise
  await expectNotToSettle(paid)
  reply()
  hook.answer(200)
  await ends(sender, paid, 'COMPLETED')
  assert.equal(await balanceOf(platform, account), 1_000)
})

/** UMA-10: the operator pays out to the default deposit account, or cannot. */
for (const isPaid of [true, false]) {
  test(`UMA-10 in production a payout that the operator ${isPaid ? 'makes' : 'cannot make'}`, async () => {
    const receiver = await newReceiver(await withHook(await newPlatform()))
    const { platform, customerId, to } = receiver
    const more = { defaultUmaDepositAccount: true }
    const outside = await payee(platform, 'USD_ACCOUNT', { customerId, more })
    await asOperator(kit, platform, (work) =>
      setAccountStatus(work, { id: mustParseId('externalAccount', outside), status: 'ACTIVE' }),
    )
    const before = await balanceOf(sender, from)
    const paid = await pay(to)
    const incoming = await incomingOf(platform)
    await ends(platform, incoming, 'PROCESSING')
    assert.equal((await readTransaction(sender, paid)).status, 'PROCESSING')
    const shown = await operate(kit, `settlements show ${incoming}`)
    assert.deepEqual([await isListed(incoming), shown['waitsFor']], [true, 'PAYOUT'])
    await expectNotToSettle(paid)
    await operate(kit, `settlements ${isPaid ? 'confirm' : 'fail'} ${incoming}`)
    const ended = await ends(platform, incoming, isPaid ? 'COMPLETED' : 'FAILED')
    assert.equal(ended.failureReason, isPaid ? undefined : 'OFFRAMP_FAILED')
    await ends(sender, paid, isPaid ? 'COMPLETED' : 'FAILED')
    assert.equal(await balanceOf(sender, from), isPaid ? before - 1_000 : before)
    assert.equal(
      (await eventTypesOf(platform, incoming)).at(-1),
      `INCOMING_PAYMENT.${isPaid ? 'COMPLETED' : 'REFUND_COMPLETED'}`,
    )
  })
}

test('TXN-18 TXN-19 UMA-10 a payout to a wallet needs its hash, and shows it', async () => {
  const platform = await kit.platform({ environment: 'PRODUCTION', currencies: ['USDC'] })
  const customerId = (await createCustomer(await withHook(platform))).id
  const more = { defaultUmaDepositAccount: true }
  await payee(platform, 'SOLANA_WALLET', { customerId, more })
  const to = await umaAddressOf(platform, customerId)
  await operate(kit, 'rates set --price USDC=1')
  const paid = await pay(to)
  const incoming = await incomingOf(platform)
  await ends(platform, incoming, 'PROCESSING')
  await assert.rejects(operate(kit, `settlements confirm ${incoming}`), { code: 'INVALID_INPUT' })
  assert.equal((await readTransaction(platform, incoming)).status, 'PROCESSING')
  const transactionHash = base58.encode(new Uint8Array(64).fill(5))
  await operate(kit, `settlements confirm ${incoming} --hash ${transactionHash}`)
  const done = await ends(platform, incoming, 'COMPLETED')
  const trace = { transactionHash, network: 'SOLANA' }
  assert.deepEqual(done.destination?.onChainTransaction, trace)
  await ends(sender, paid, 'COMPLETED')
})
