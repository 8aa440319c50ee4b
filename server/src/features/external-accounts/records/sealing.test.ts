/** Identifiers and holders of accounts appear in no log and, in the clear, in no table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus, text } from '../../../../test/kit/api.ts'
import { externalAccountBody } from '../../../../test/kit/accounts/external-account-bodies.ts'
import {
  CUSTOMERS,
  PLATFORM,
  accountIdOf,
  asOperator,
  newAccount,
  newCustomer,
  newOwnWallet,
} from '../../../../test/kit/accounts/external-accounts.ts'
import { startOwnKit } from '../../../../test/kit/florin.ts'
import { createKeyring } from '../../../crypto/seal.ts'
import { sql } from '../../../infra/db/statement/sql.ts'
import { createLog } from '../../../infra/logging/log.ts'
import { newId, newUuid } from '../../../kernel/ids.ts'
import { setAccountStatus } from '../index.ts'
import { duplicateIndexes, indexDuplicateKey } from './duplicate-index.ts'
import { openAccount, sealInfo } from './sealing.ts'

const lines: string[] = []
const log = createLog({ logLevel: 'trace' }, { write: (line) => void lines.push(line) })
const kit = await startOwnKit({}, { log })
const platform = await kit.platform()
const { api } = platform

const TAX_NUMBER = '11144477735'

test('EACC-19 CORE-91 identifiers and names reach no log, also where they are refused', async () => {
  const customerId = await newCustomer(api, { region: 'DE' })
  const secrets = ['40817263549', 'Zebulon Quux', TAX_NUMBER]
  const body = {
    customerId,
    ...externalAccountBody('USD_ACCOUNT', {
      accountNumber: '40817263549',
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Zebulon Quux' },
    }),
  }
  await newAccount(api, body)
  expectError(await api.post(CUSTOMERS, body), 409, 'CONFLICT')
  const brl = { pixKey: TAX_NUMBER, pixKeyType: 'EMAIL', taxId: TAX_NUMBER }
  expectStatus(await api.post(CUSTOMERS, externalAccountBody('BRL_ACCOUNT', brl)), 400)
  const { wallet, path } = await newOwnWallet(api, customerId)
  const asked = expectStatus(await api.post(`${path}/challenge`, { method: 'LIVENESS' }), 201)
  const link = new URL(text(asked['verificationLink']))
  await fetch(`${new URL(kit.baseUrl).origin}${link.pathname}${link.search}`)
  const token = link.searchParams.get('token') ?? ''
  assert.ok(lines.some((line) => line.includes('"createCustomerExternalAccount"')))
  assert.ok(lines.some((line) => line.includes('"/liveness"')))
  for (const secret of [...secrets, wallet.address, token]) {
    assert.ok(secret.length > 8)
    assert.ok(!lines.some((line) => line.includes(secret)), secret)
  }
})

test('CORE-90 a government’s number is in no table in the clear, nor is a link to a hosted page', async () => {
  const headers = { 'idempotency-key': newUuid() }
  const body = externalAccountBody('BRL_ACCOUNT', { pixKey: TAX_NUMBER, taxId: TAX_NUMBER })
  const account = expectStatus(await api.post(PLATFORM, body, { headers }), 201)
  assert.equal(account.accountInfo.taxId, TAX_NUMBER)
  const id = accountIdOf(account)
  await asOperator(kit, platform, (work) => setAccountStatus(work, { id, status: 'INACTIVE' }))
  const customerId = await newCustomer(api, { region: 'DE' })
  const { path } = await newOwnWallet(api, customerId)
  const again = { headers: { 'idempotency-key': newUuid() } }
  const asked = await api.post(`${path}/challenge`, { method: 'LIVENESS' }, again)
  const link = text(expectStatus(asked, 201)['verificationLink'])
  const token = new URL(link).searchParams.get('token') ?? ''

  const { read } = kit.florin.deps.db
  const tables = await read.many<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  assert.ok(tables.some(({ name }) => name === 'external_accounts'))
  for (const { name } of tables) {
    const rows = await read.many<{ row: string }>({
      parts: [`select t::text as row from "${name}" t`],
      values: [],
    })
    for (const secret of [TAX_NUMBER, token]) {
      const inHex = Buffer.from(secret).toString('hex')
      const holds = rows.some(({ row }) => row.includes(secret) || row.includes(inHex))
      assert.ok(!holds, `${name} holds ${secret}`)
    }
  }
})

test('CORE-90 what is sealed for one account does not open for another', () => {
  const keyring = createKeyring(Buffer.alloc(32, 1).toString('base64'))
  const [id, other] = [newId('externalAccount'), newId('externalAccount')]
  const accountInfo = { accountType: 'LIGHTNING', lightningAddress: 'satoshi@bitcoin.org' }
  const sealed = { accountInfo: sealInfo(keyring, { id, accountInfo }) } as never
  const open = (by: string) => openAccount(keyring, Object.assign({}, sealed, { id: by }) as never)
  assert.deepEqual(open(id).accountInfo, accountInfo)
  assert.throws(() => open(other), /altered, or belongs elsewhere/)
})

test('EACC-10 CORE-90 an account that an older key indexed is still found', () => {
  const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')
  const before = createKeyring(key(1))
  const rotated = createKeyring(`new:${key(2)},${key(1)}`)
  const stored = indexDuplicateKey(before, 'the same')
  assert.ok(!indexDuplicateKey(rotated, 'the same').equals(stored))
  assert.ok(duplicateIndexes(rotated, 'the same').some((index) => index.equals(stored)))
  assert.ok(!duplicateIndexes(rotated, 'another').some((index) => index.equals(stored)))
})
