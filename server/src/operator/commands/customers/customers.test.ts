import assert from 'node:assert/strict'
import { test } from 'node:test'
import { items, text } from '../../../../test/kit/api.ts'
import { newCard } from '../../../../test/kit/cards.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { payee } from '../../../../test/kit/payments.ts'
import {
  completeBusiness,
  completePerson,
  submitted,
} from '../../../../test/kit/onboarding/verification.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { UsageError } from '../../command.ts'

const kit = await startOwnKit()
const acme = await kit.platform({ kind: 'UNREGULATED', name: 'Acme Pay' })
const north = await kit.platform({ name: 'Northwind' })

const show = (id: unknown) => operate(kit, `customers show ${String(id)}`)
const list = async (options = ''): Promise<string[]> =>
  items(await operate(kit, `customers list${options && ` ${options}`}`)).map(({ customerId }) =>
    text(customerId),
  )

test('CORE-83 customers list goes through all platforms, newest first, page by page', async () => {
  const person = (await createCustomer(north)).id
  const held = await completePerson(acme)
  await submitted(acme, held)
  await operate(kit, `review hold ${held.id}`)
  const business = (await completeBusiness(acme)).id
  const waiting = held.id
  assert.deepEqual(await list(), [business, waiting, person])
  assert.deepEqual(await list('--limit 1'), [business])
  assert.deepEqual(await list(`--before ${business} --limit 1`), [waiting])
  assert.deepEqual(await list(`--before ${waiting}`), [person])
  assert.deepEqual(await list(`--platform ${north.platformId}`), [person])
  assert.deepEqual(await list('--type BUSINESS'), [business])
  assert.deepEqual(await list('--status HOLD'), [waiting])
  assert.deepEqual(await list('--status HOLD --type BUSINESS'), [])
  assert.deepEqual(await list('--status APPROVED'), [person])
  await assert.rejects(list('--status LATE'), UsageError)
  await assert.rejects(list('--type DOG'), UsageError)
  await assert.rejects(list(`--before Customer:${newUuid()}`), { code: 'USER_NOT_FOUND' })
})

test('CORE-83 customers show has what belongs to a customer, and no card number', async () => {
  const { customerId, card, accountId } = await newCard(north)
  const external = await payee(north, 'EUR_ACCOUNT', { customerId, suffix: '321' })
  const shown = await show(customerId)
  assert.equal(shown['platformId'], north.platformId)
  assert.equal(shown['customer']?.['fullName'], 'Mira Aldana')
  const account = items(shown['internalAccounts']).find(({ id }) => text(id) === accountId)
  assert.equal(account?.['balance']?.['amount'], 50_000)
  const [bank] = items(shown['externalAccounts'])
  assert.equal(text(bank?.['id']), external)
  assert.match(text(bank?.['endsWith']), /^\d321$/)
  const [plastic] = items(shown['cards'])
  assert.deepEqual([plastic?.['id'], plastic?.['last4']], [card.id, card.last4])
  assert.equal(items(shown['transactions']).length, 1)
  assert.doesNotMatch(JSON.stringify(shown), /DE89\d{6}/)
})

test('CUST-12 CORE-83 customers show keeps government numbers to itself', async () => {
  const business = await completeBusiness(acme, '5523042')
  await submitted(acme, business)
  const shown = await show(business.id)
  assert.match(text(shown['customer']?.['businessInfo']?.['taxId']), /^\*.*6789$/)
  assert.doesNotMatch(JSON.stringify(shown), /12-3456789|123456789|111-22-3333/)
  const [verification] = items(shown['verifications'])
  assert.equal(verification?.['customerId'], business.id)
  const emitted = items(shown['events']).map(({ resourceId }) => text(resourceId))
  assert.ok(emitted.includes(text(verification?.['id'])), emitted.join())
})

test('CORE-83 a customer that is not there is not found', async () => {
  await assert.rejects(show(`Customer:${newUuid()}`), { code: 'USER_NOT_FOUND' })
  await assert.rejects(show('x'), { code: 'USER_NOT_FOUND' })
})
