import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectError, expectStatus } from '../../../../test/kit/api.ts'
import { createCustomer } from '../../../../test/kit/customers.ts'
import { endlessPdf, pdfWith, textBomb } from '../../../../test/kit/onboarding/document-bombs.ts'
import { type DocumentFile, goodPhoto } from '../../../../test/kit/onboarding/document-files.ts'
import { PASSPORT, sendForm } from '../../../../test/kit/onboarding/documents.ts'
import { startKit, type TestPlatform } from '../../../../test/kit/florin.ts'

const kit = await startKit()

async function uploader(platform: TestPlatform) {
  const { id } = await createCustomer(platform)
  const fields = { ...PASSPORT, documentHolder: id }
  return (file: DocumentFile) => sendForm(platform.api, { fields, file })
}

const one = await kit.platform({ kind: 'UNREGULATED' })
const two = await kit.platform({ kind: 'UNREGULATED' })
const byOne = await uploader(one)
const byTwo = await uploader(two)

test('DOC-9 DOC-10 a PDF with a script is refused like one that cannot be read, and not kept', async () => {
  const answer = await byOne(pdfWith('<< /S /JavaScript /JS (x) >>'))
  const details = expectError(answer, 422, 'DOCUMENT_REJECTED')
  assert.deepEqual(details['reasons'], ['UNREADABLE'])
  const { data } = expectStatus(await one.api.get('/documents'), 200)
  assert.deepEqual(data, [])
})

test('DOC-10 bombs of one platform do not hold up the photo of another', async () => {
  const photo = await goodPhoto()
  const [slow, packed] = [endlessPdf(), await textBomb()]
  let answered = 0
  const bombs = [slow, packed, packed].map(async (file) => {
    const { status } = await byOne(file)
    answered += 1
    return status
  })
  expectStatus(await byTwo(photo), 201)
  assert.ok(answered < bombs.length, `${answered} of ${bombs.length} went first`)
  const statuses = await Promise.all(bombs)
  assert.deepEqual(statuses, [422, 201, 201])
})
