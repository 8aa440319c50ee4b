/** Work that waits for an operator, made as it comes about: by payments, deposits, wallets, lost factors and cards. */
import assert from 'node:assert/strict'
import { newUuid } from '../../../src/kernel/ids.ts'
import { expectStatus, text } from '../api.ts'
import { createCustomer } from '../customers.ts'
import { newOwnWallet } from '../accounts/external-accounts.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import { newCard } from '../cards.ts'
import { operate } from '../operator.ts'
import { customerAccount, fund, payee, payer, platformAccount, quote } from '../payments.ts'
import { openProductionAccount, productionBank } from './production.ts'
import { newScaCustomer } from '../sca/sca.ts'

/** Payments of a production platform between its account and banks; nobody but the operator moves them. */
export async function newTill(kit: Kit, platform: TestPlatform) {
  const id = await platformAccount(platform, 'USD')
  const account = await openProductionAccount(kit, platform, { id, funded: 1_000_000n })
  const pay = async (ends: { from: string; to: string }): Promise<string> => {
    const answer = await quote(platform, { ...ends, amount: 123_450, immediatelyExecute: true })
    return expectStatus(answer, 201).transactionId
  }
  const bank = (accountType?: string): Promise<string> => productionBank(kit, platform, accountType)
  return {
    account,
    payOut: async (accountType?: string) => pay({ from: account, to: await bank(accountType) }),
    passThrough: async (accountType?: string) =>
      pay({ from: await bank(), to: await bank(accountType) }),
  }
}

/** A payment of the sandbox that failed, and whose refund failed too; its transaction. */
export async function failedRefund(platform: TestPlatform) {
  const { account: from, customerId } = await payer(platform)
  const to = await payee(platform, 'USD_ACCOUNT', { suffix: '007', customerId })
  const answer = await quote(platform, { from, to, amount: 1000, immediatelyExecute: true })
  const id = expectStatus(answer, 201).transactionId
  return expectStatus(await platform.api.get(`/transactions/${id}`), 200)
}

/** Money that nobody is known for, or that is held for review where a reference is given; its id. */
export async function arrived(
  kit: Kit,
  { amount, reference }: { amount: number; reference?: string },
): Promise<string> {
  const line = `deposits receive --environment SANDBOX --amount ${amount} --currency USD --rail ACH --trace ${newUuid()}`
  const more = reference === undefined ? [] : ['--reference', reference, '--review']
  const deposit = await operate(kit, line, '--sender', 'Jane Doe', ...more)
  assert.equal(text(deposit['status']), reference === undefined ? 'UNATTRIBUTED' : 'HELD')
  return text(deposit['depositId'])
}

/** A wallet whose holder, in production, has begun a liveness check; its id. */
export async function wallet(platform: TestPlatform, fullName: string): Promise<string> {
  const customer = await createCustomer(platform, { region: 'DE', fullName })
  const { account, path } = await newOwnWallet(platform.api, customer.id)
  expectStatus(await platform.api.post(`${path}/challenge`, { method: 'LIVENESS' }), 201)
  return account.id
}

/** A lost factor whose holder, in production, has handed in a liveness check; its id. */
export async function lostFactor(
  { baseUrl }: Kit,
  platform: TestPlatform,
  fullName: string,
): Promise<string> {
  const sca = await newScaCustomer(platform, { fullName })
  const started = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
  const { pathname, search } = new URL(started.verificationLink)
  const page = new URL(`${pathname}/submit${search}`, baseUrl)
  assert.equal((await fetch(page, { method: 'POST' })).status, 200)
  return started.resetId
}

/** A purchase that the account did not cover, by two dollars. */
export async function shortPurchase(platform: TestPlatform, fullName = 'Mira Aldana') {
  const card = await newCard(platform, { funds: 1_000, fullName })
  const bought = await card.authorize(1_000)
  const short = await card.clear(bought, 1_200)
  assert.equal(short.status, 'EXCEPTION')
  return { card, id: bought.id }
}

/** A rejected customer's account with 50.00 USD that only the operator can move; its id. */
export async function strandedBalance(platform: TestPlatform): Promise<string> {
  const { id } = await createCustomer(platform, { fullName: 'Rea Jected 002' })
  const account = await customerAccount(platform, id, 'USD')
  await fund(platform, account, 5_000)
  return account
}
