import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { expectStatus } from '../../../test/kit/api.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { pdf } from '../../../test/kit/onboarding/document-files.ts'
import { uploadDocument } from '../../../test/kit/onboarding/documents.ts'
import { completePerson, PERSON_DATA } from '../../../test/kit/onboarding/verification.ts'
import { operate } from '../../../test/kit/operator.ts'
import { customerAccount, fund, payee, quote } from '../../../test/kit/payments.ts'
import { walletOn } from '../../../test/kit/wallets/wallets.ts'
import type { ApiError } from '../../kernel/errors.ts'

const kit = await startKit()

type Exported = Readonly<{
  customerId: string
  platformId: string
  data: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}>

test('OPER-77 an export has all that is held about a customer, its documents beside it, and is audited', async () => {
  const platform = await kit.platform({ currencies: ['USD', 'USDB'] })
  const { customer } = await walletOn(platform, PERSON_DATA)
  const { id } = customer
  const paper = pdf()
  await uploadDocument(platform, { documentHolder: id }, paper)
  const from = await customerAccount(platform, id, 'USD')
  await fund(platform, from, 500)
  const to = await payee(platform, 'USD_ACCOUNT', { customerId: id })
  const words = { description: 'rent', immediatelyExecute: true }
  expectStatus(await quote(platform, { from, to, amount: 500, ...words }), 201)

  const path = join(kit.dataDir, `${id.replace('Customer:', '')}.json`)
  const answer = await operate(kit, `customers export ${id} --to ${path}`)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  const content = await readFile(path, 'utf8')
  const { customerId, platformId, data } = JSON.parse(content) as Exported
  assert.deepEqual([customerId, platformId], [id, platform.platformId])
  const [row] = data['customers'] ?? []
  assert.equal(row?.['identifier'], PERSON_DATA.identifier, 'sealed values are opened')
  assert.equal((row?.['profile'] as Record<string, unknown>)['fullName'], PERSON_DATA.fullName)
  const [account] = data['external_accounts'] ?? []
  assert.ok((account?.['account_info'] as Record<string, unknown>)['accountNumber'])
  assert.ok(data['transactions']?.some(({ description }) => description === 'rent'))
  assert.ok(data['wallet_credentials'] && data['quotes'] && data['internal_accounts'])
  assert.ok(!('wallets' in data) && !content.includes('seed'), 'keys are left out')
  const rows = Object.values(data).flat().length
  assert.deepEqual(answer, { path, rows, documents: 1 })
  const [name = ''] = await readdir(`${path}.documents`)
  assert.deepEqual(await readFile(join(`${path}.documents`, name)), paper.bytes)

  const [entry] = await operate<{ action: string }[]>(kit, `audit list --resource ${id}`)
  assert.equal(entry?.action, 'customers export')
  await assert.rejects(operate(kit, `customers export ${id} --to ${path}`), /EEXIST/)

  expectStatus(await platform.api.delete(`/customers/${id}`), 200)
  await operate(kit, `customers erase ${id} --override-period`, '--note', 'asked for')
  await assert.rejects(
    operate(kit, `customers export ${id} --to ${path}.again`),
    (error: ApiError) => error.details?.['reason'] === 'ERASED',
  )
})

test('OPER-77 a folder of documents that is there already is named, and no half of the export is left', async () => {
  const platform = await kit.platform()
  const { id } = await completePerson(platform)
  const path = join(kit.dataDir, `${id.replace('Customer:', '')}.json`)
  await mkdir(`${path}.documents`)
  await assert.rejects(operate(kit, `customers export ${id} --to ${path}`), {
    name: 'FileError',
    message: new RegExp(`^${path}\\.documents cannot be written`),
  })
  await assert.rejects(stat(path), { code: 'ENOENT' })
  await rmdir(`${path}.documents`)
  assert.partialDeepStrictEqual(await operate(kit, `customers export ${id} --to ${path}`), {
    path,
    documents: 1,
  })
})
