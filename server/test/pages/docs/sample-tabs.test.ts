/** The samples of a call as tabs, and the examples that were recorded, in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitDocs } from './visit.ts'

const visit = visitDocs()

const tab = (name: string) => visit.page.getByRole('tab', { name })
const shown = (name: string) => visit.page.getByRole('tabpanel', { name }).innerText()

test('OPER-182 a call is shown in three languages, which the keyboard changes and the browser remembers', async () => {
  await visit.open('createExternalAccount')
  assert.deepEqual(await visit.page.getByRole('tab').allInnerTexts(), [
    'curl',
    'TypeScript',
    'Python',
  ])
  assert.match(await shown('curl'), /^curl -X POST/)
  await tab('curl').focus()
  await visit.page.keyboard.press('ArrowRight')
  assert.match(await shown('TypeScript'), /await florin\.externalAccounts\.create\(\{/)
  await visit.page.keyboard.press('End')
  assert.match(await shown('Python'), /urllib\.request\.Request\(/)
  assert.equal(await tab('Python').getAttribute('aria-selected'), 'true')
  assert.equal(await tab('curl').getAttribute('tabindex'), '-1')
  await visit.page.keyboard.press('ArrowRight')
  assert.match(await shown('curl'), /^curl/, 'the last is followed by the first')
  await tab('TypeScript').click()
  await visit.follow('getCustomer')
  assert.deepEqual(await visit.page.getByRole('tab').allInnerTexts(), ['curl', 'Python'])
  await visit.open('createExternalAccount')
  assert.equal(await tab('TypeScript').getAttribute('aria-selected'), 'true')
})

test('OPER-182 every sample follows what is typed', async () => {
  await visit.open('getCustomer')
  await visit.page.getByLabel('customerId').fill('Customer:typed')
  assert.match(await shown('curl'), /customers\/Customer:typed/)
  await tab('Python').click()
  assert.match(await shown('Python'), /customers\/Customer:typed"/)
})

test('OPER-180 the recorded answer is shown, and each refusal on demand', async () => {
  await visit.open('createExternalAccount')
  const answer = visit.page.getByRole('region', { name: 'Example answer, 201' })
  assert.match(await answer.innerText(), /ExternalAccount:recorded/)
  await visit.page.locator('details.response > summary', { hasText: '400' }).click()
  await visit.page.getByText('Example of INVALID_INPUT').click()
  assert.match(
    await visit.page.getByRole('region', { name: 'INVALID_INPUT' }).innerText(),
    /As recorded\./,
  )
})
