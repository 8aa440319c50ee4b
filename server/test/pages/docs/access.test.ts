/** The reference for everybody: by keyboard, on a phone, in the dark, and with nothing from outside. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { visitDocs } from './visit.ts'
import { contrastProblems, nameProblems, overflow } from '../page-checks.ts'

const GUIDES = [
  '',
  'tag/Customers',
  'errors',
  'webhooks',
  'webhooks/EXTERNAL_ACCOUNT.UPDATED',
  'nowhere',
  '/guides/first-payout',
]
const ALL_HASHES = [...GUIDES, 'createExternalAccount', 'getCustomer', 'uploadDocument']

const visit = visitDocs()

const focusedText = () => visit.page.evaluate('document.activeElement.textContent')

test('CORE-86 OPER-170 everything is reached with the keyboard', async () => {
  await visit.open('')
  await visit.page.keyboard.press('/')
  await visit.page.keyboard.type('external')
  await visit.page.keyboard.press('ArrowDown')
  assert.equal(await visit.page.evaluate('document.activeElement.hash'), '#createExternalAccount')
  await visit.page.keyboard.press('Enter')
  await visit.page.getByRole('heading', { level: 1, name: /Create an external account/ }).waitFor()
  assert.equal(await visit.page.evaluate('document.activeElement.tagName'), 'H1')
  await visit.page.keyboard.press('Control+k')
  await visit.page.keyboard.press('Escape')
  await visit.page.keyboard.press('ArrowDown')
  assert.equal(await focusedText(), 'Overview')
  for (let stop = 0; stop < 20 && (await focusedText()) !== 'Customers'; stop += 1) {
    await visit.page.keyboard.press('ArrowDown')
  }
  for (const key of ['ArrowRight', 'ArrowDown', 'Enter']) await visit.page.keyboard.press(key)
  await visit.page.getByRole('heading', { level: 1, name: /Read a customer/ }).waitFor()
  await visit.page.getByLabel('customerId').fill('Customer:known')
  await visit.page.keyboard.press('Control+Enter')
  await visit.page.locator('.answer-head .status-ok').waitFor()
  await visit.page.keyboard.press('Escape')
  await visit.page.reload()
  await visit.page.locator('main h1').waitFor()
  await visit.page.keyboard.press('Tab')
  await visit.page.keyboard.press('Enter')
  assert.equal(await visit.page.evaluate('document.activeElement.tagName'), 'H1', 'skip to content')
})

test('CORE-93 the policy stops a script that is not ours', async () => {
  await visit.open('')
  await visit.page.evaluate(
    "const script = document.createElement('script'); script.textContent = 'window.hacked = 1'; document.body.append(script)",
  )
  assert.equal(await visit.page.evaluate('window.hacked'), undefined)
  assert.equal(visit.complaints.length, 1)
  assert.match(visit.complaints.pop() ?? '', /Content Security Policy/)
})

test('CORE-86 no view scrolls sideways on a phone of 360 px, and the list is behind a button', async () => {
  await visit.page.setViewportSize({ width: 360, height: 740 })
  await visit.open('')
  for (const hash of [...ALL_HASHES, '/concepts/sandbox']) {
    await visit.follow(hash)
    const expand = visit.page.getByRole('button', { name: 'Expand all' })
    if (await expand.isVisible()) await expand.click()
    assert.deepEqual(await overflow(visit.page), [], `#${hash}`)
  }
  const menu = visit.page.getByRole('button', { name: 'Menu' })
  assert.equal(await visit.page.getByRole('searchbox').isVisible(), false)
  await menu.click()
  assert.equal(await visit.page.evaluate('document.activeElement.id'), 'search')
  await visit.page.mouse.click(350, 400)
  assert.equal(await menu.getAttribute('aria-expanded'), 'false', 'a tap beside it closes the list')
  await visit.page.keyboard.press('/')
  await visit.page.getByRole('searchbox').fill('agent itself')
  await visit.page.getByRole('link', { name: /^Read the agent/ }).click()
  await visit.page.getByRole('heading', { level: 1, name: /Read the agent/ }).waitFor()
  assert.equal(await menu.getAttribute('aria-expanded'), 'false')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`CORE-86 text is readable and every control is named, ${colorScheme}`, async () => {
    await visit.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await visit.open('')
    for (const hash of ALL_HASHES) {
      await visit.follow(hash)
      assert.deepEqual(await contrastProblems(visit.page), [], `#${hash}`)
      assert.deepEqual(await nameProblems(visit.page), [], `#${hash}`)
    }
  })
}
